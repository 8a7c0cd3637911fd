import { config } from 'zod';

// The schema library compiles its checks with `new Function` where it may. The page's content security policy forbids
// that, and the mere try would be reported as a violation, so this module is imported before any schema is made.
config({ jitless: true });
