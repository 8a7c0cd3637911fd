// Makes every picture of the icon from `assets/icon.svg`, `assets/icon-small.svg` and the tray marks below: `node scripts/icons.mjs`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import { root } from './lib/paths.mjs';

const assets = join(root, 'assets');
const target = join(assets, 'generated');
const large = readFileSync(join(assets, 'icon.svg'), 'utf8');
const small = readFileSync(join(assets, 'icon-small.svg'), 'utf8');

/**
 * @param {string} svg
 * @param {number} sizePx width and height
 */
const png = (svg, sizePx) => new Resvg(svg, { fitTo: { mode: 'width', value: sizePx } }).render().asPng();
/** @param {number} sizePx */
const icon = (sizePx) => png(sizePx < 32 ? small : large, sizePx);

/**
 * Windows icon: a directory of 16 bytes an entry, then the pictures, which may be PNG since Windows Vista.
 * @param {number[]} sizesPx at most 256
 */
function ico(sizesPx) {
  const pictures = sizesPx.map(icon);
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  pictures.forEach((picture, n) => {
    const at = 6 + 16 * n;
    const sizePx = sizesPx[n] ?? 0;
    // One byte each for width and height: 256 is written as 0.
    head.writeUInt8(sizePx % 256, at);
    head.writeUInt8(sizePx % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(picture.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += picture.length;
  });
  return Buffer.concat([head, ...pictures]);
}

/** macOS icon: blocks of a four-letter type, a length that counts its own head, and a PNG. */
function icns() {
  /** @type {[string, number][]} */
  const kinds = [['icp4', 16], ['icp5', 32], ['ic07', 128], ['ic08', 256], ['ic09', 512], ['ic10', 1024], ['ic11', 32], ['ic12', 64], ['ic13', 256], ['ic14', 512]];
  const blocks = kinds.map(([kind, sizePx]) => block(kind, icon(sizePx)));
  return block('icns', Buffer.concat(blocks));
}

/**
 * @param {string} kind
 * @param {Buffer} content
 */
function block(kind, content) {
  const head = Buffer.alloc(8);
  head.write(kind, 'latin1');
  head.writeUInt32BE(8 + content.length, 4);
  return Buffer.concat([head, content]);
}

// The state differs by shape, not only by colour: a round dot waits, a square has stopped, a pointed sign warns.
const signs = {
  running: '',
  paused: '<circle cx="12" cy="12" r="3.6" fill="COLOUR" stroke="RIM" stroke-width="1.2"/>',
  closed: '<path d="M9 8.4H15V15.6H9Z" fill="COLOUR" stroke="RIM" stroke-width="1.2" stroke-linejoin="round"/>',
  problem: '<path d="M12 7.6L16 15.6H8Z" fill="COLOUR" stroke="RIM" stroke-width="1.2" stroke-linejoin="round"/>',
};
const colours = { running: '', paused: '#f2b84b', closed: '#c3ccd6', problem: '#f0645c' };

/** @param {keyof typeof signs} state */
const trayColour = (state) => small.replace('</svg>', `${signs[state].replace('COLOUR', colours[state]).replace('RIM', '#ffffff')}</svg>`);

/**
 * macOS paints a template in the menu bar's own colour, so it is black on nothing, and the sign is cut out of the mark by a rim.
 * @param {keyof typeof signs} state
 */
function trayTemplate(state) {
  const hole = signs[state].replace('COLOUR', '#000').replace('RIM', '#000');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">
  <mask id="around"><rect width="16" height="16" fill="#fff"/>${hole.replace('stroke-width="1.2"', 'stroke-width="2.4"')}</mask>
  <g mask="url(#around)" fill="none" stroke="#000" stroke-linecap="round" stroke-linejoin="round">
    <path stroke-width="2" d="M2 3V13M14 3V13"/>
    <path stroke-width="1.6" d="M5 8.9C5.7 7 7.2 6.6 8 8S10.3 9 11 7.1"/>
  </g>
  ${signs[state].replace('COLOUR', '#000').replace('RIM', 'none')}
</svg>`;
}

mkdirSync(join(target, 'icons'), { recursive: true });
mkdirSync(join(target, 'tray'), { recursive: true });
for (const sizePx of [16, 24, 32, 48, 64, 128, 256, 512]) writeFileSync(join(target, 'icons', `${sizePx}x${sizePx}.png`), icon(sizePx));
writeFileSync(join(target, 'icon.ico'), ico([16, 24, 32, 48, 64, 128, 256]));
writeFileSync(join(target, 'icon.icns'), icns());
for (const state of /** @type {(keyof typeof signs)[]} */ (Object.keys(signs))) {
  for (const [suffix, sizePx] of /** @type {[string, number][]} */ ([['', 16], ['@2x', 32]])) {
    writeFileSync(join(target, 'tray', `${state}${suffix}.png`), png(trayColour(state), sizePx));
    writeFileSync(join(target, 'tray', `${state}Template${suffix}.png`), png(trayTemplate(state), sizePx));
  }
}
