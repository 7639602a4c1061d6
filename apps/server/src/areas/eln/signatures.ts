/**
 * The port of signatures: what the area of signatures gives sheets. Keys never reach the server; a browser signs, and the
 * server looks whether the signature is of these bytes and of this person.
 */
import { createHash } from 'node:crypto'
import type { AppContext } from '../../records/context.ts'
import { readCommonSettings } from '../settings/index.ts'
import type { SetUp } from './limits.ts'
import type { Purpose } from './wire.ts'

export interface Signatures {
  /** Whether sheets can be signed, and if not, what to set up. */
  state(app: AppContext): Promise<SetUp>
  /** @returns what was found, or why the signature is not taken, in Russian */
  verify(
    app: AppContext,
    signed: { bytes: Uint8Array; signature: string; purpose: Purpose; idUser: number },
  ): Promise<{ verdict: 'valid' | 'unchecked' } | { refused: string }>
}

/** What stands in the place of a signature on the test contour: of these bytes, and of nobody's key. */
export const testSignature = (bytes: Uint8Array): string =>
  Buffer.from(`ТЕСТОВАЯ ПОДПИСЬ ${createHash('sha256').update(bytes).digest('hex')}`).toString('base64')

/** Until keys are set up: the test contour takes marked signatures, the working one takes none. */
const withoutKeys: Signatures = {
  async state({ db }) {
    const { elnMode } = await readCommonSettings(db)
    return elnMode === 'test'
      ? { isSet: true, words: 'Тестовый контур: подписи помечены «ТЕСТОВАЯ ПОДПИСЬ»' }
      : { isSet: false, words: 'Подписи не настроены: добавьте сертификаты в разделе «Электронная подпись»' }
  },
  async verify(app, { bytes, signature }) {
    const { isSet, words } = await withoutKeys.state(app)
    if (!isSet) return { refused: words }
    return signature === testSignature(bytes)
      ? { verdict: 'unchecked' }
      : { refused: 'Подпись не от этих данных: подпишите лист заново' }
  },
}

export const signaturesOf = (_app: AppContext): Signatures => withoutKeys
