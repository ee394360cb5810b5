@rem Makes "npm start" work on Windows. Elsewhere, "exec" in package.json replaces the shell of npm by the server, so that
@rem signals reach it. cmd.exe, which npm uses on Windows, has no such command: it looks in the current folder first, where
@rem npm runs scripts, and finds this file. It runs the rest of the line and ends with its exit code; there are no signals
@rem to forward.
@rem This follows the source of npm 11 and the documentation of cmd.exe; it has not been run on Windows. It is not found if
@rem the script-shell of npm is PowerShell, or if NoDefaultCurrentDirectoryInExePath is set. Then use "npm run modshelf -- serve".
@%*
