// Before ArkType itself: Workers run no code that is made from strings, which is how ArkType validates where it can.
import { configure } from "arktype/config";

configure({ jitless: true });
