/**
 * The exchange with a territorial fund (ТФОМС): a package of XML is sent, a protocol of checks (ФЛК) is returned. The
 * format differs by region and must be agreed by the clinic; this one follows the usual package of attachment.
 */
import { AttachmentApplication } from '@ordinator/model/areas/attachment/application'
import type { AttachmentArea } from '@ordinator/model/areas/attachment/area'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { reach } from '#areas/eln/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import type { OutboxAdapter, Outcome, Reason } from '#platform/outbox.ts'
import { switchedOff } from '#platform/outboxMessage.ts'
import { outcomeOf, type Remote, RemoteFault } from '#platform/remote.ts'
import { escapedXml } from '#platform/xml/text.ts'
import { all, valueAt } from '#platform/xml/tree.ts'
import { XmlError, xmlOf } from '#platform/xml/xml.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import type { ApplicationRow } from './applications.ts'
import { attachTo } from './attachTo.ts'

interface Payload {
  idApplication: number
}

export async function tfomsState(app: AppContext): Promise<{ isSet: boolean; words: string }> {
  const { tfomsMode, tfomsAddress, tfomsCode } = await readCommonSettings(app.db)
  const not = (words: string) => ({ isSet: false, words })
  if (tfomsMode === 'off')
    return not('Обмен с ТФОМС не подключён: прикрепите без него или включите в настройках прикрепления')
  if (!tfomsAddress && !app.config.tfomsUrl) return not('Не задан адрес сервиса ТФОМС')
  if (!tfomsCode) return not('Не задан реестровый номер клиники в ОМС')
  return { isSet: true, words: tfomsMode === 'test' ? 'Тестовый контур ТФОМС' : 'Обмен с ТФОМС работает' }
}

async function serviceOf(app: AppContext): Promise<Remote | undefined> {
  const { tfomsMode, tfomsAddress, tfomsLogin: login } = await readCommonSettings(app.db)
  if (tfomsMode === 'off') return undefined
  return reach(app, {
    adapter: 'tfoms',
    address: tfomsAddress,
    own: app.config.tfomsUrl,
    login,
    password: 'tfomsToken',
    bearer: 'tfomsToken',
  })
}

export const queueApplication = (app: AppContext, tx: Tx, { id, _version }: Pick<ApplicationRow, 'id' | '_version'>) =>
  app.outbox.add(tx, {
    adapter: 'tfoms',
    operation: 'attach',
    title: 'Прикрепление',
    key: `attach-${id}-v${_version}`,
    subject: `attach-${id}`,
    about: { path: AttachmentApplication.path, id },
    payload: { idApplication: id } satisfies Payload,
  })

const el = (name: string, value: unknown) =>
  value === null || value === undefined || value === '' ? '' : `<${name}>${escapedXml(String(value))}</${name}>`

/** @param key the name of the package, its id at the fund */
function packageOf(
  one: ApplicationRow,
  area: Pick<Row<typeof AttachmentArea>, 'name'>,
  code: string,
  doctorSnils: string | null,
  key: string,
): string {
  const birthday = one.birthday?.split('.').reverse().join('-')
  const sex = one.gender === 'male' ? 1 : one.gender === 'female' ? 2 : ''
  const basis = { registration: 1, residence: 2, choice: 3 }[one.basis]
  return `<?xml version="1.0" encoding="UTF-8"?><ZL_LIST><ZGLV><VERSION>1.0</VERSION>${el('FILENAME', key)}${el('CODE_MO', code)}</ZGLV><ZAP><N_ZAP>1</N_ZAP><PERS>${el('FAM', one.surname)}${el('IM', one.name)}${el('OT', one.middleName)}${el('W', sex)}${el('DR', birthday)}${el('SNILS', one.snils)}${el('ENP', one.enp)}${el('DOC', one.documentNumber)}</PERS><ATTACH>${el('AREA', area.name)}${el('DOC_SNILS', doctorSnils)}${el('BASIS', basis)}${el('DATE_FROM', one.attachedFrom)}</ATTACH></ZAP></ZL_LIST>`
}

export const tfomsAdapter = (app: AppContext): OutboxAdapter<{ records: Records; tx: Tx }, Payload> => ({
  code: 'tfoms',
  // The name of the package is the key: it is accepted once.
  isRepeatable: () => true,
  askMinutes: 5,
  send: ({ payload, key }) => guarded(() => submit(app, payload, key)),
  ask: ({ key }) => guarded(() => protocolOf(app, key)),
  async settled({ records, tx }, { payload }, { state, error, reasons, result }) {
    const system = records.asSystem
    const [one] = await system.rows(AttachmentApplication, { 'filter[id]': payload.idApplication })
    if (one?.status !== 'sent') return
    const set = (of: Partial<ApplicationRow>) => system.update(AttachmentApplication, one.id, of)
    if (state === 'done') {
      const { dateFrom, number } = result as { dateFrom: string | null; number: string | null }
      await set({ externalId: number, protocol: null })
      try {
        await attachTo(system, tx, one, dateFrom ?? one.attachedFrom)
      } catch (fault) {
        // Nothing was written: a person must resolve the conflict.
        if (!(fault instanceof ValidationError)) throw fault
        await set({ status: 'approved', protocol: `ТФОМС прикрепил, а у нас не вышло: ${fault.message}` })
      }
    } else if (state === 'refused') {
      const protocol = reasons
        .map(({ code, message }) => (code ? `${code}: ${message}` : message))
        .join('\n')
        .slice(0, 2000)
      // Data errors are corrected and sent again; anything else is the fund's decision.
      if (reasons.every(({ code }) => code?.startsWith('FLK'))) await set({ status: 'approved', protocol })
      else
        await set({
          ...{ status: 'refused', protocol, dateDecided: new Date().toISOString() },
          decisionReason: reasons
            .map(({ message }) => message)
            .join('; ')
            .slice(0, 500),
        })
    } else if (state === 'dead')
      await set({ status: 'approved', protocol: `Не отправлено: ${error ?? 'ТФОМС не отвечает'}` })
  },
})

async function guarded(run: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof RemoteFault) return outcomeOf(error)
    throw error
  }
}

const off = switchedOff('Обмен с ТФОМС не подключён')

async function submit(app: AppContext, { idApplication }: Payload, key: string): Promise<Outcome> {
  const service = await serviceOf(app)
  if (!service) return off
  const one = await app.engine.for(systemActor).row(AttachmentApplication, idApplication)
  const { tfomsCode } = await readCommonSettings(app.db)
  const facts = await app.db.one<{ name: string; snils: string | null }>(sql`select a."name", u."snils"
    from attachment_areas a left join users u on u."id" = ${one.idDoctor} where a."id" = ${one.idArea}`)
  if (!facts) return { kind: 'refused', reasons: [{ code: 'FLK', message: 'Участок не выбран' }] }
  const sent = packageOf(one, facts, tfomsCode, facts.snils, key)
  const { status, bytes } = await service.quietly({
    method: 'POST',
    path: '/packages',
    headers: { 'content-type': 'application/xml; charset=utf-8' },
    body: sent,
  })
  if (status < 300)
    return { kind: 'accepted', sent, received: bytes.toString('utf8').slice(0, 2000), code: String(status) }
  return { kind: 'refused', sent, reasons: [{ code: String(status), message: `ТФОМС ответил ${status}` }] }
}

const MAX_ANSWER = 1024 * 1024

async function protocolOf(app: AppContext, key: string): Promise<Outcome> {
  const service = await serviceOf(app)
  if (!service) return off
  const { status, bytes } = await service.quietly({ path: `/packages/${encodeURIComponent(key)}` })
  if (status === 404) return { kind: 'absent' }
  if (status === 202) return { kind: 'accepted' }
  const received = bytes.toString('utf8').slice(0, 2000)
  try {
    const root = await xmlOf(app).parse(bytes, { who: 'tfoms', maxBytes: MAX_ANSWER })
    const reasons: Reason[] = all(root, '//PR').map((node) => ({
      ...(valueAt(node, 'CODE') && { code: valueAt(node, 'CODE') as string }),
      message: valueAt(node, 'COMMENT') ?? 'Отказ без объяснения',
    }))
    if (reasons.length) return { kind: 'refused', reasons, received }
    if (valueAt(root, 'RESULT') !== 'ATTACHED') throw new RemoteFault('Протокол ТФОМС не читается', true)
    const dateFrom = valueAt(root, 'DATE_FROM') ?? null
    return {
      kind: 'done',
      received,
      result: {
        dateFrom: dateFrom && /^\d{4}-\d\d-\d\d$/.test(dateFrom) ? dateFrom : null,
        number: valueAt(root, 'NUMBER')?.slice(0, 64) ?? null,
      },
    }
  } catch (error) {
    if (error instanceof XmlError) throw new RemoteFault('Протокол ТФОМС не читается', true)
    throw error
  }
}
