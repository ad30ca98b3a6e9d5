import { acceptsAnOldSignature } from "./accepts_an_old_signature.ts";
import { acceptsInvalidInput } from "./accepts_invalid_input.ts";
import { countsWrongly } from "./counts_wrongly.ts";
import { crossesOwners } from "./crosses_owners.ts";
import { fails } from "./fails.ts";
import { hasAWrongEtag } from "./has_a_wrong_etag.ts";
import { ignoresAFilter } from "./ignores_a_filter.ts";
import { ignoresAProperty } from "./ignores_a_property.ts";
import { ignoresIfMatch } from "./ignores_if_match.ts";
import { isThereAfterDelete } from "./is_there_after_delete.ts";
import { leadsNowhere } from "./leads_nowhere.ts";
import { letsNobodyIn } from "./lets_nobody_in.ts";
import { movesADate } from "./moves_a_date.ts";
import { movesToWhatIsTaken } from "./moves_to_what_is_taken.ts";
import { needsNoCredentials } from "./needs_no_credentials.ts";
import { neverGotPast } from "./never_got_past.ts";
import { refusesValidInput } from "./refuses_valid_input.ts";
import { resetsWhatIsLeftOut } from "./resets_what_is_left_out.ts";
import { runsTwice } from "./runs_twice.ts";
import { setsAnUndeclaredProperty } from "./sets_an_undeclared_property.ts";
import { showsWhatIsHidden } from "./shows_what_is_hidden.ts";
import { skipsAnItem } from "./skips_an_item.ts";
import { throws } from "./throws.ts";
import { undeclared } from "./undeclared.ts";

/** A kind of faults: {@linkcode fuzz} says what each of them means. */
export type FaultKind = AllKinds[number]["kind"];

/** @internal The kinds of faults, in the order in which a response is judged. */
type AllKinds = readonly [
  typeof throws,
  typeof fails,
  typeof undeclared,
  typeof acceptsInvalidInput,
  typeof refusesValidInput,
  typeof needsNoCredentials,
  typeof acceptsAnOldSignature,
  typeof crossesOwners,
  typeof showsWhatIsHidden,
  typeof isThereAfterDelete,
  typeof ignoresIfMatch,
  typeof hasAWrongEtag,
  typeof leadsNowhere,
  typeof runsTwice,
  typeof resetsWhatIsLeftOut,
  typeof movesADate,
  typeof movesToWhatIsTaken,
  typeof setsAnUndeclaredProperty,
  typeof ignoresAFilter,
  typeof skipsAnItem,
  typeof countsWrongly,
  typeof ignoresAProperty,
  typeof letsNobodyIn,
  typeof neverGotPast,
];

/** What reports, options and documents say of the kinds is derived from this list. The compiler compares it with its type. */
export const KINDS: AllKinds = [
  throws,
  fails,
  undeclared,
  acceptsInvalidInput,
  refusesValidInput,
  needsNoCredentials,
  acceptsAnOldSignature,
  crossesOwners,
  showsWhatIsHidden,
  isThereAfterDelete,
  ignoresIfMatch,
  hasAWrongEtag,
  leadsNowhere,
  runsTwice,
  resetsWhatIsLeftOut,
  movesADate,
  movesToWhatIsTaken,
  setsAnUndeclaredProperty,
  ignoresAFilter,
  skipsAnItem,
  countsWrongly,
  ignoresAProperty,
  letsNobodyIn,
  neverGotPast,
];
