/**
 * Client of the Social Fund's service. A refusal is in the body, even with HTTP 200, and is a reply; no reply is a
 * `RemoteFault`.
 */
import type { SfrState } from '@ordinator/model/areas/eln/rules'
import { readCommonSettings } from '#areas/settings/index.ts'
import { AdapterFault } from '#platform/adapter.ts'
import { HttpError } from '#platform/errors.ts'
import { type Remote, RemoteFault } from '#platform/remote.ts'
import { all, one } from '#platform/xml/tree.ts'
import { XmlError, xmlOf } from '#platform/xml/xml.ts'
import type { AppContext } from '#records/context.ts'
import { type Protection, protectionOf } from './protection.ts'
import { reach } from './service.ts'
import {
  readAnswer,
  readLeave,
  requests,
  type SfrAnswer,
  type SfrLeave,
  type SfrOperation,
  type SfrRequest,
} from './wire.ts'
import type { SignedPart } from './xmlSignature.ts'

/** Refusal codes that determine the next step. */
export const NO_SHEET = 'ERR_NOT_FOUND'
export const WRONG_HASH = 'ERR_HASH'

export type SfrResult<T> = { isGood: true; data: T; sent: string; received: string } | Refused
export interface Refused {
  isGood: false
  code: string | null
  words: string
  sent: string
  received: string
}

export interface Sfr {
  newNumbers(ogrn: string, count: number): Promise<SfrResult<string[]>>
  /** The current sheet at the Social Fund. */
  get(ogrn: string, lnCode: string, snils: string): Promise<SfrResult<SfrLeave>>
  put(
    ogrn: string,
    row: string,
    signatures: readonly SignedPart[],
  ): Promise<SfrResult<{ hash: string | null; state: SfrState | null }>>
  disable(ogrn: string, lnCode: string, snils: string, reason: string): Promise<SfrResult<null>>
  bySnils(ogrn: string, snils: string): Promise<SfrResult<SfrLeave[]>>
}

const actions: Readonly<Record<SfrOperation, string>> = {
  newNumbers: 'getNewLNNumRange',
  get: 'getLNData',
  put: 'prParseFilelnlpu',
  disable: 'disableLn',
  bySnils: 'getLNListBySnils',
}
const MAX_ANSWER = 5 * 1024 * 1024

/** @throws HttpError 409 if the exchange, its key or its certificate are not configured */
export async function sfrOf(app: AppContext): Promise<Sfr> {
  const { elnMode, elnAddress, elnLogin } = await readCommonSettings(app.db)
  const service =
    elnMode === 'off'
      ? undefined
      : reach(app, {
          adapter: 'eln',
          address: elnAddress,
          own: app.config.elnUrl,
          login: elnLogin,
          password: 'elnPassword',
        })
  if (!service)
    throw new HttpError(409, 'Обмен с СФР не подключён: включите его в настройках больничных', { code: 'off' })
  return speakingTo(app, service, await protectionOf(app))
}

function speakingTo(app: AppContext, service: Remote, protection: Protection): Sfr {
  async function ask<T>(
    operation: SfrOperation,
    request: SfrRequest,
    read: (answer: SfrAnswer & { isGood: true }) => T,
  ): Promise<SfrResult<T>> {
    const sent = await protection.signed(request)
    const { status, bytes } = await service.quietly({
      method: 'POST',
      path: '',
      headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: `"${actions[operation]}"` },
      body: await protection.sealed(sent),
    })
    let received = bytes.toString('utf8')
    let answer: SfrAnswer
    try {
      const parse = (of: Buffer) => xmlOf(app).parse(of, { who: 'eln', maxBytes: MAX_ANSWER })
      const root = await parse(bytes)
      const opened = await protection.opened(root)
      if (opened) received = opened.toString('utf8')
      answer = readAnswer(opened ? await parse(opened) : root)
    } catch (error) {
      if (error instanceof RemoteFault) throw error
      // An unreadable reply may follow after the sheet was accepted.
      if (error instanceof XmlError || !(error instanceof HttpError))
        throw new RemoteFault(status >= 400 ? `СФР ответил ${status}` : 'Ответ СФР не читается', true, String(status))
      throw error
    }
    return answer.isGood
      ? { isGood: true, data: read(answer), sent, received }
      : { isGood: false, code: answer.code, words: answer.words, sent, received }
  }
  return {
    newNumbers: (ogrn, count) =>
      ask('newNumbers', requests.newNumbers(ogrn, count), ({ data }) =>
        all(data, '//lnCode').map((node) => node.text.trim()),
      ),
    get: (ogrn, lnCode, snils) =>
      ask('get', requests.get(ogrn, lnCode, snils), ({ data }) => {
        const row = one(data, '//row')
        if (!row) throw new AdapterFault('В ответе СФР нет листка')
        return readLeave(row)
      }),
    put: (ogrn, row, signatures) =>
      ask('put', requests.put(ogrn, row, signatures), ({ data }) => {
        const answered = readLeave(one(data, '//responseRow') ?? data)
        return { hash: answered.hash, state: answered.state }
      }),
    disable: (ogrn, lnCode, snils, reason) => ask('disable', requests.disable(ogrn, lnCode, snils, reason), () => null),
    bySnils: (ogrn, snils) =>
      ask('bySnils', requests.bySnils(ogrn, snils), ({ data }) => all(data, '//row').map(readLeave)),
  }
}
