/**
 * Messages of the Social Fund's sick leave service: envelopes, signed parts, and replies.
 * Shapes follow public generated classes of FileOperationsLn (inputs/eln/facts.md); the current XSD is not public, so
 * the message must be tried against the Fund's test stand before a clinic sends its first sheet.
 */
import { isCare, type SfrState, sentDiagnosis, sfrStates, stateToSend } from '@ordinator/model/areas/eln/rules'
import { canonicalText, escapedXml } from '#platform/xml/text.ts'
import { one as node, all as nodes, valueAt } from '#platform/xml/tree.ts'
import type { XmlNode } from '#platform/xml/xml.ts'
import type { Facts } from './facts.ts'
import { type SignedPart, securityHeader, type ToDigest } from './xmlSignature.ts'

const MO = 'http://www.fss.ru/integration/types/eln/mo/v01'
const ELN = 'http://www.fss.ru/integration/types/eln/v01'
const WSU = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd'
const XSI = 'http://www.w3.org/2001/XMLSchema-instance'
const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/'

/** An element; omitted without a value. What is signed is written in the canonical form. */
const el = (name: string, value: string | number | boolean | null | undefined): string =>
  value === null || value === undefined || value === '' ? '' : `<${name}>${canonicalText(String(value))}</${name}>`
/** An element that occurs exactly once: nil without a value. */
const must = (name: string, value: string | number | null | undefined): string =>
  el(name, value) || `<${name} xmlns:xsi="${XSI}" xsi:nil="true"></${name}>`
const flag = (name: string, value: boolean): string => `<${name}>${value}</${name}>`

export type Purpose = 'doctor' | 'chairman' | 'organization'

/** A signed part of a sheet: its XML with a `wsu:Id` of its own. */
export interface Part {
  /** `row`, `breach`, `result`, `period:12`, `chairman:12`. */
  key: string
  title: string
  purpose: Purpose
  /** Null: the organization. */
  idUser: number | null
  /** Its `wsu:Id`. */
  id: string
  /** In exclusive canonical form (https://www.w3.org/TR/xml-exc-c14n), which is what its digest covers. */
  xml: string
}

const idOf = (lnCode: string, key: string) => `ELN_${lnCode}_${key.replace(':', '_')}`

/** A part inside the row: there its namespaces are declared already. */
interface Inner extends Part {
  inside: string
}
function part(
  lnCode: string,
  name: string,
  of: Pick<Part, 'key' | 'title' | 'purpose' | 'idUser'>,
  content: string,
): Inner {
  const id = idOf(lnCode, of.key)
  return {
    ...of,
    id,
    xml: `<${name} xmlns="${ELN}" xmlns:wsu="${WSU}" wsu:Id="${id}">${content}</${name}>`,
    inside: `<${name} wsu:Id="${id}">${content}</${name}>`,
  }
}

/** All parts of a sheet with a number, the periods in order of days. */
export function partsOf(facts: Facts): Part[] {
  const { leave, periods, doctors } = facts
  const lnCode = leave.lnCode ?? ''
  const last = periods.at(-1)
  const parts: Inner[] = []
  for (const [at, one] of periods.entries()) {
    const doctor = doctors.get(one.idDoctor)
    const days = `${el('treatDt1', one.dateFrom)}${el('treatDt2', one.dateTo)}`
    parts.push(
      part(
        lnCode,
        'treatPeriod',
        { key: `period:${one.id}`, title: `Период ${at + 1}`, purpose: 'doctor', idUser: one.idDoctor },
        `${days}${el('treatDoctorRole', one.post)}${el('treatDoctor', doctor?.fio)}${el('idDoctor', doctor?.snils)}`,
      ),
    )
    if (one.idChairman === null) continue
    const chairman = doctors.get(one.idChairman)
    parts.push(
      part(
        lnCode,
        'treatFullPeriod',
        { key: `chairman:${one.id}`, title: `ВК, период ${at + 1}`, purpose: 'chairman', idUser: one.idChairman },
        `${el('treatChairmanRole', 'Председатель ВК')}${el('treatChairman', chairman?.fio)}${el('idChairman', chairman?.snils)}${days}`,
      ),
    )
  }
  const byLast = { purpose: 'doctor', idUser: last?.idDoctor ?? leave.idDoctor } as const
  if (leave.breachCode)
    parts.push(
      part(
        lnCode,
        'hospitalBreach',
        { key: 'breach', title: 'Нарушение режима', ...byLast },
        `${el('hospitalBreachCode', leave.breachCode)}${el('hospitalBreachDt', leave.breachDate)}`,
      ),
    )
  if (leave.isClosed)
    parts.push(
      part(
        lnCode,
        'lnResult',
        { key: 'result', title: 'Закрытие листа', ...byLast },
        `${el('returnDateLpu', leave.workFrom)}${el('mseResult', leave.resultCode)}${el('otherStateDt', leave.resultDate)}${el('nextLnCode', leave.nextLnCode)}`,
      ),
    )
  const whole = { key: 'row', title: 'Лист в целом', purpose: 'organization', idUser: null } as const
  return [...parts, part(lnCode, 'row', whole, rowContent(facts, parts))].map(({ inside: _inside, ...one }) => one)
}

/** The content of the row of a sheet, including its parts. */
function rowContent({ leave, cared, patient, lpu, hidden, periods }: Facts, parts: readonly Inner[]): string {
  const inside = (key: string) => parts.find((one) => one.key === key)?.inside ?? ''
  const treat = periods
    .map((one) => `<treatFullPeriod>${inside(`period:${one.id}`)}${inside(`chairman:${one.id}`)}</treatFullPeriod>`)
    .join('')
  const diagnosis = leave.diagnosis ? sentDiagnosis(leave.diagnosis, hidden) : null
  const care = isCare(leave.reason)
    ? cared
        .map(
          (one) =>
            `<servFullData>${el('servDt1', one.dateFrom)}${el('servDt2', one.dateTo)}${el('servRelationCode', one.relation)}${el('servFio', one.fio)}${el('servBirthday', isoDay(one.birthday))}${el('servSnils', one.snils)}${el('reason1', one.reason ?? leave.reason)}${el('diagnosis', one.diagnosis && sentDiagnosis(one.diagnosis, hidden))}</servFullData>`,
        )
        .join('')
    : ''
  return `${flag('unconditional', false)}${el('snils', patient.snils)}${el('surname', patient.surname)}${el('name', patient.name)}${el('patronymic', patient.middleName)}${el('lnCode', leave.lnCode)}${el('prevLnCode', leave.prevLnCode)}${flag('primaryFlag', leave.isPrimary)}${flag('duplicateFlag', leave.isDuplicate)}${el('lnDate', leave.dateIssue)}${must('lpuName', lpu?.name)}${must('lpuAddress', lpu?.address)}${el('lpuOgrn', lpu?.ogrn)}${el('lpuEmployer', leave.employer)}${flag('lpuEmplFlag', leave.workType === 'main')}${el('birthday', patient.birthday)}${el('gender', patient.gender === 'male' ? 0 : 1)}${el('reason1', leave.reason)}${el('reason2', leave.reasonAdd)}${el('reason3', leave.reasonNext)}${el('diagnos', diagnosis)}${must('date1', leave.birthPlanned)}${must('date2', null)}${el('voucherNo', leave.voucherNumber)}${care && `<servData>${care}</servData>`}${flag('pregn12wFlag', leave.isPregnancy12w)}${el('hospitalDt1', leave.hospitalFrom)}${el('hospitalDt2', leave.hospitalTo)}${inside('breach')}${must('mseDt1', leave.mseSent)}${must('mseDt2', leave.mseRegistered)}${must('mseDt3', leave.mseDone)}${must('mseInvalidGroup', leave.mseGroup)}<treatPeriods>${treat}</treatPeriods>${inside('result')}${el('lnState', stateToSend(leave, periods.length))}${el('lnHash', leave.lnHash)}${el('previouslyIssuedCode', leave.formerLnCode)}${flag('writtenAgreementFlag', leave.isAgreed)}`
}

/** DD.MM.YYYY → YYYY-MM-DD. */
const isoDay = (birthday: string | null): string | null => birthday?.split('.').reverse().join('-') ?? null

/** A message before it is signed as a whole, and encrypted. */
export interface SfrRequest {
  ogrn: string
  /** Content of the body, canonical. */
  content: string
  /** Signed parts of a sheet; absent: the organization signs the body. */
  signed?: readonly SignedPart[]
}

const bodyId = (ogrn: string) => `OGRN_${ogrn}`

/** The body in exclusive canonical form, as the organization signs it (inputs/eln/facts.md). */
export const bodyOf = ({ ogrn, content }: SfrRequest): ToDigest => ({
  id: bodyId(ogrn),
  xml: `<soapenv:Body xmlns:soapenv="${SOAP}" xmlns:wsu="${WSU}" wsu:Id="${bodyId(ogrn)}">${content}</soapenv:Body>`,
})

export function envelope({ ogrn, content, signed = [] }: SfrRequest): string {
  const actor = `http://eln.fss.ru/actor/mo/${ogrn}`
  const header = signed
    .map((one) => securityHeader(one.id === bodyId(ogrn) ? actor : `${actor}/${one.id}`, one))
    .join('')
  return `${HEAD}<soapenv:Header>${header}</soapenv:Header><soapenv:Body wsu:Id="${escapedXml(bodyId(ogrn))}">${content}</soapenv:Body></soapenv:Envelope>`
}
const HEAD = `<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="${SOAP}" xmlns:wsu="${WSU}">`

/** An envelope around encrypted data, without anything of the message. */
export const outerEnvelope = (data: string): string =>
  `${HEAD}<soapenv:Header></soapenv:Header><soapenv:Body>${data}</soapenv:Body></soapenv:Envelope>`

const named = (ogrn: string, name: string, content: string): SfrRequest => ({
  ogrn,
  content: `<${name} xmlns="${MO}">${el('ogrn', ogrn)}${content}</${name}>`,
})

export const requests = {
  newNumbers: (ogrn: string, count: number) => named(ogrn, 'getNewLNNumRangeRequest', el('cntLnNumbers', count)),
  get: (ogrn: string, lnCode: string, snils: string) =>
    named(ogrn, 'getLNDataRequest', `${el('lnCode', lnCode)}${el('snils', snils)}`),
  bySnils: (ogrn: string, snils: string) => named(ogrn, 'getLNListBySnilsRequest', el('snils', snils)),
  disable: (ogrn: string, lnCode: string, snils: string, reason: string) =>
    named(ogrn, 'disableLnRequest', `${el('lnCode', lnCode)}${el('snils', snils)}${el('reason', reason)}`),
  put: (ogrn: string, row: string, signed: readonly SignedPart[]): SfrRequest => ({
    ...named(
      ogrn,
      'prParseFilelnlpuRequest',
      `<pXmlFile><rowset xmlns="${ELN}" version="2.0" software="Ординатор">${row}</rowset></pXmlFile>`,
    ),
    signed,
  }),
}
export type SfrOperation = keyof typeof requests

/** A sheet as stored by the Social Fund. */
export interface SfrLeave {
  lnCode: string
  state: SfrState | null
  hash: string | null
  periods: { dateFrom: string; dateTo: string }[]
  workFrom: string | null
  resultCode: string | null
  employer: string | null
  reason: string | null
  lpu: string | null
}

/** The result in the body: a refusal may come with HTTP 200. */
export type SfrAnswer = { isGood: true; data: XmlNode } | { isGood: false; code: string | null; words: string }

/** @throws Error if it is no reply of the service */
export function readAnswer(root: XmlNode): SfrAnswer {
  const fault = node(root, '//Fault')
  if (fault)
    return {
      isGood: false,
      code: valueAt(fault, 'faultcode') ?? null,
      words: valueAt(fault, 'faultstring') ?? 'Ошибка сервиса СФР',
    }
  const result = node(root, 'Body/*')
  const status = result && valueAt(result, '//status')
  if (!result || status === undefined) throw new Error('Ответ СФР не читается')
  if (status === '1') return { isGood: true, data: result }
  const words = valueAt(result, '//mess') ?? 'СФР отказал без объяснения'
  // The text begins with a code: «ERR_HASH …».
  const code = /^([A-Z][A-Z0-9_]{3,}):?\s/.exec(words)?.[1] ?? null
  return {
    isGood: false,
    code,
    words: code ? words.slice(words.indexOf(code) + code.length).replace(/^:?\s*/, '') : words,
  }
}

const stateOf = (text: string | undefined): SfrState | null =>
  text !== undefined && Object.hasOwn(sfrStates, text) ? (text as SfrState) : null

export function readLeave(row: XmlNode): SfrLeave {
  const value = (path: string) => valueAt(row, path) ?? null
  return {
    lnCode: value('lnCode') ?? '',
    state: stateOf(valueAt(row, 'lnState')),
    hash: value('lnHash'),
    periods: nodes(row, '//treatPeriod').map((one) => ({
      dateFrom: valueAt(one, 'treatDt1') ?? '',
      dateTo: valueAt(one, 'treatDt2') ?? '',
    })),
    workFrom: value('lnResult/returnDateLpu'),
    resultCode: value('lnResult/mseResult'),
    employer: value('lpuEmployer'),
    reason: value('reason1'),
    lpu: value('lpuName'),
  }
}

/** Whether the clinic's part is unchanged; the employer's part and the payment may differ. */
export const isSame = (ours: Facts, theirs: SfrLeave): boolean => differencesOf(ours, theirs).length === 0

export interface Difference {
  label: string
  ours: string
  theirs: string
}

/** Differences of the clinic's part at the Social Fund. */
export function differencesOf({ leave, periods }: Facts, theirs: SfrLeave): Difference[] {
  const difference = (label: string, ours: string | null, other: string | null): Difference[] =>
    (ours || '') === (other || '') ? [] : [{ label, ours: ours || '—', theirs: other || '—' }]
  const days = (list: readonly { dateFrom: string; dateTo: string }[]) =>
    list
      .toSorted((a, b) => (a.dateFrom < b.dateFrom ? -1 : 1))
      .map(({ dateFrom, dateTo }) => `${dateFrom} — ${dateTo}`)
      .join('; ')
  return [
    ...difference('Периоды', days(periods), days(theirs.periods)),
    ...difference('Приступить к работе', leave.workFrom, theirs.workFrom),
    ...difference('Иное', leave.resultCode, theirs.resultCode),
    ...difference('Причина', leave.reason, theirs.reason),
    ...difference('Место работы', leave.employer, theirs.employer),
  ]
}
