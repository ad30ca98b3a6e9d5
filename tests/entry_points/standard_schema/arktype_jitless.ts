// Import this before ArkType. Workers forbid code generated from strings, which ArkType uses by default.
import { configure } from "arktype/config";

configure({ jitless: true });
