/** Migration n brings a database of schema version n to n + 1. Each is written out in full and never changed once released. */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE app_state (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE upstreams (id TEXT PRIMARY KEY, position INTEGER NOT NULL, value TEXT NOT NULL, secret_ids TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE routes (id TEXT PRIMARY KEY, position INTEGER NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE gateway_keys (
     id TEXT PRIMARY KEY, position INTEGER NOT NULL, name TEXT NOT NULL, hint TEXT NOT NULL, disabled INTEGER NOT NULL,
     created_at INTEGER NOT NULL, secret_id TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE gateway_logs (
     id TEXT PRIMARY KEY, started_at INTEGER NOT NULL, ended_at INTEGER, state TEXT NOT NULL, outcome TEXT, key_name TEXT, client TEXT,
     session_id TEXT, format TEXT NOT NULL, path TEXT NOT NULL, model_asked TEXT, model_served TEXT, route TEXT, upstream TEXT,
     streamed INTEGER NOT NULL, status INTEGER, error_code TEXT, error_message TEXT, retries INTEGER NOT NULL, attempts INTEGER NOT NULL,
     failovers INTEGER NOT NULL, give_up TEXT, pause_ms REAL, queued_ms REAL, first_content_ms REAL, duration_ms REAL,
     request_bytes INTEGER, answer_bytes INTEGER, input_tokens INTEGER, output_tokens INTEGER, cache_read_tokens INTEGER,
     cache_write_tokens INTEGER, reasoning_tokens INTEGER, cost_micros INTEGER, client_retry INTEGER, detail TEXT NOT NULL
   );
   CREATE INDEX gateway_logs_newest ON gateway_logs (started_at, id);
   CREATE INDEX gateway_logs_outcome ON gateway_logs (outcome, started_at, id);
   CREATE INDEX gateway_logs_retried ON gateway_logs (started_at, id) WHERE retries > 0;
   CREATE INDEX gateway_logs_retried_outcome ON gateway_logs (outcome, started_at, id) WHERE retries > 0;
   CREATE INDEX gateway_logs_in_flight ON gateway_logs (state) WHERE state = 'in_flight';`,
  `CREATE TABLE sealed_history (seal TEXT PRIMARY KEY, upstream TEXT NOT NULL, learned_at INTEGER NOT NULL) WITHOUT ROWID;
   CREATE INDEX sealed_history_newest ON sealed_history (learned_at, seal);`,
  // One index for each field of the filter, as narrow as can be: of rows of one time the few are sorted when they are read, of a session its end is
  // as telling as the whole, and rows without a value, or served as asked, stand in none.
  `DROP INDEX gateway_logs_newest;
   DROP INDEX gateway_logs_outcome;
   DROP INDEX gateway_logs_retried;
   DROP INDEX gateway_logs_retried_outcome;
   CREATE INDEX gateway_logs_newest ON gateway_logs (started_at);
   CREATE INDEX gateway_logs_outcome ON gateway_logs (outcome, started_at) WHERE outcome IS NOT NULL;
   CREATE INDEX gateway_logs_retried ON gateway_logs (started_at) WHERE retries > 0;
   CREATE INDEX gateway_logs_upstream ON gateway_logs (upstream, started_at) WHERE upstream IS NOT NULL;
   CREATE INDEX gateway_logs_asked ON gateway_logs (model_asked, started_at) WHERE model_asked IS NOT NULL;
   CREATE INDEX gateway_logs_served ON gateway_logs (model_served, started_at) WHERE model_served IS NOT model_asked;
   CREATE INDEX gateway_logs_client ON gateway_logs (client, started_at) WHERE client IS NOT NULL;
   CREATE INDEX gateway_logs_key ON gateway_logs (key_name, started_at) WHERE key_name IS NOT NULL;
   CREATE INDEX gateway_logs_status ON gateway_logs (status / 100, started_at) WHERE status IS NOT NULL;
   CREATE INDEX gateway_logs_error ON gateway_logs (error_code, started_at) WHERE error_code IS NOT NULL;
   CREATE INDEX gateway_logs_session ON gateway_logs (substr(session_id, -8), started_at) WHERE session_id IS NOT NULL;`,
  // Figures: sums by the time in which exchanges began, once by the minute and once by the quarter of an hour (`minutes`; `began` is in minutes since
  // 1970), kept in step by the writer (main/store/figure-counts.ts says the same for one row).
  `CREATE TABLE gateway_figures (
     minutes INTEGER NOT NULL, began INTEGER NOT NULL, requests INTEGER NOT NULL, first_try INTEGER NOT NULL, rescued_by_retry INTEGER NOT NULL, rescued_by_failover INTEGER NOT NULL,
     failed INTEGER NOT NULL, refused INTEGER NOT NULL, cancelled INTEGER NOT NULL, pause_ms REAL NOT NULL, input_tokens INTEGER NOT NULL,
     output_tokens INTEGER NOT NULL, cache_read_tokens INTEGER NOT NULL, cache_write_tokens INTEGER NOT NULL, untold INTEGER NOT NULL, unpriced INTEGER NOT NULL,
     cost_micros INTEGER NOT NULL, rejected_keys INTEGER NOT NULL, PRIMARY KEY (minutes, began)
   ) WITHOUT ROWID;
   INSERT INTO gateway_figures SELECT
     minutes, started_at / (60000 * minutes) * minutes, count(*),
     sum(outcome IS 'success' AND retries = 0 AND failovers = 0), sum(outcome IS 'success' AND retries > 0), sum(outcome IS 'success' AND retries = 0 AND failovers > 0),
     sum(outcome IN ('failed', 'truncated', 'interrupted')), sum(outcome IS 'refused'), sum(outcome IS 'cancelled'), total(pause_ms),
     coalesce(sum(input_tokens), 0), coalesce(sum(output_tokens), 0), coalesce(sum(cache_read_tokens), 0), coalesce(sum(cache_write_tokens), 0),
     sum(input_tokens IS NULL AND output_tokens IS NULL AND first_content_ms IS NOT NULL AND instr(path, '/count_tokens') = 0 AND instr(path, ':countTokens') = 0),
     sum((input_tokens IS NOT NULL OR output_tokens IS NOT NULL) AND cost_micros IS NULL), coalesce(sum(cost_micros), 0),
     sum(outcome IS 'refused' OR (outcome IS 'failed' AND CASE WHEN json_valid(detail) THEN json_extract(detail, '$.attempts[#-1].class') END IS 'auth'))
     FROM gateway_logs, (SELECT 1 AS minutes UNION ALL SELECT 15) WHERE state = 'done' AND outcome IS NOT NULL GROUP BY 1, 2;`,
  // Contents of exchanges, beside their rows and gone with them. Headers are small and many, bodies large and few, with an age of their own.
  `CREATE TABLE gateway_log_contents (id TEXT PRIMARY KEY, headers BLOB NOT NULL) WITHOUT ROWID;
   CREATE TABLE gateway_log_bodies (
     id TEXT PRIMARY KEY, started_at INTEGER NOT NULL, request BLOB, request_bytes INTEGER, request_cut INTEGER, answer BLOB, answer_bytes INTEGER, answer_cut INTEGER
   );
   CREATE INDEX gateway_log_bodies_oldest ON gateway_log_bodies (started_at, id);
   CREATE TRIGGER gateway_logs_contents_gone AFTER DELETE ON gateway_logs BEGIN
     DELETE FROM gateway_log_contents WHERE id = OLD.id;
     DELETE FROM gateway_log_bodies WHERE id = OLD.id;
   END;`,
];

/** The version this program writes. */
export const SCHEMA_VERSION = MIGRATIONS.length;
