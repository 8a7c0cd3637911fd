import { decodeBody, type BodyEvents, type Flow } from './decoding.ts';

/**
 * Decodes the body of an error answer; one that is not in the encoding it names is read as it is, so that the upstream's words are not lost.
 */
export function decodeErrorBody(encoding: string, reader: BodyEvents, from: Flow): { readonly into: BodyEvents; readonly flow: Flow } {
  const raw: Uint8Array[] = [];
  let state: 'undecided' | 'decoded' | 'plain' = 'undecided';
  let ended = false;
  const { into, flow } = decodeBody(encoding, {
    data: (chunk) => {
      state = 'decoded';
      raw.length = 0;
      reader.data(chunk);
    },
    end: () => { reader.end(); },
    fail: (fault) => {
      if (state === 'decoded' || fault.code !== 'body_encoding') { reader.fail(fault); return; }
      state = 'plain';
      for (const chunk of raw.splice(0)) reader.data(chunk);
      if (ended) reader.end();
    },
  }, from);
  const tolerant: BodyEvents = {
    data: (chunk) => {
      if (state === 'plain') reader.data(chunk);
      else {
        if (state === 'undecided') raw.push(chunk);
        into.data(chunk);
      }
    },
    end: () => {
      ended = true;
      if (state === 'plain') reader.end();
      else into.end();
    },
    fail: (fault) => {
      if (state === 'plain') reader.fail(fault);
      else into.fail(fault);
    },
  };
  return { into: tolerant, flow };
}
