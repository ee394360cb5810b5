@rem Windows has no "exec", with which "npm start" replaces its shell elsewhere: there is no shell that keeps signals.
@%*
