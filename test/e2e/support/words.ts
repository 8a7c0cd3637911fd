import { createTexts, type Translate } from '../../../main/app/i18n.ts';

/** The words a user sees, so that tests find controls by the names they really have. */
export const en: Translate = createTexts('en').t;
export const zh: Translate = createTexts('zh').t;
