/** Events of an Anthropic stream, by what they are to a hold. */
export const EVENTS = {
  heartbeat: ['event: ping\ndata: {"type":"ping"}\n\n', ': keep-alive\n\n', 'data:\n\n', 'data: : processing\r\n\r\n'],
  opening: [
    'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","model":"m","usage":{"input_tokens":3,"output_tokens":1}}}\n\n',
    'event: content_block_start\r\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\r\n\r\n',
    'data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"eA=="}}\r\r',
    ': note\nevent: something_new\ndata: {"type":"something_new"}\n\n',
  ],
  content: [
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" "}}\n\n',
    'data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"ls","input":{}}}\n\n',
  ],
  end: ['data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}\n\n', 'event: message_stop\ndata: {"type":"message_stop"}\r\n\r\n'],
  error: [
    'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
    'data: {"type":"error","error":{"type":"invalid_request_error","message":"no"}}\n\n',
    '{\n  "error": { "type": "api_error", "message": "unframed" }\n}\n\n',
  ],
} as const;
export type EventKind = keyof typeof EVENTS;
