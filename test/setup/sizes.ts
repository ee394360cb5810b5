// Lists and texts that a property test makes are as long as their given limit allows; by default fast-check makes at most ten
// items, whatever the limit is.
import fc from "fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), defaultSizeToMaxWhenMaxSpecified: true });
