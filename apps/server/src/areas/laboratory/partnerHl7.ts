/**
 * Orders and reports of partner laboratories as HL7 v2.5.1 text: ORM^O01 out, ORU^R01 in (HL7 chapters 4 and 7). Pure.
 * A tube is SPM-2, a test OBR-4, an analyte OBX-3; ORC-2 and OBR-2 are our order's number.
 */
import type { RejectReason } from '@ordinator/model/areas/laboratory/states'
import type { Incoming, PartnerOrder, PartnerResults } from './partnerAdapter.ts'
import { escaped, readSegments, type Segment, stamp } from './wire/hl7.ts'

const VERSION = '2.5.1'
const sexes: Readonly<Record<string, string>> = { male: 'M', female: 'F' }

/** @param sender code of the clinic at the partner @param control ORC-1: NW a new order, CA its cancellation */
export function writeOrder(
  number: string,
  control: 'NW' | 'CA',
  { samples, patient }: Pick<PartnerOrder, 'samples' | 'patient'>,
  sender: string,
  now: number,
): string {
  const at = stamp(now)
  const orc = `ORC|${control}|${escaped(number)}|||||||${at}`
  let line = 0
  const lines = samples.flatMap(({ barcode, codes }) =>
    codes.flatMap((code) => {
      line++
      return [orc, `OBR|${line}|${escaped(number)}||${escaped(code)}|||${at}`, `SPM|1|${escaped(barcode)}^||`]
    }),
  )
  return [
    `MSH|^~\\&|ORDINATOR|${escaped(sender)}|||${at}||ORM^O01^ORM_O01|${escaped(number)}-${control}|P|${VERSION}||||||UNICODE UTF-8`,
    `PID|1||${escaped(number)}||^^||${patient.birthday?.replaceAll('-', '') ?? ''}|${sexes[patient.sex ?? ''] ?? 'U'}`,
    ...(lines.length ? lines : [orc]),
    '',
  ].join('\r')
}

/** SPM-21, table 0490. */
const rejections: Readonly<Record<string, RejectReason>> = {
  EX: 'expired',
  QS: 'little',
  RB: 'tube',
  RC: 'clot',
  RH: 'hemolysis',
  RI: 'label',
  RM: 'label',
  RN: 'tube',
  RR: 'temperature',
}

/** OBX-11, table 0085: values that are not final are not taken. */
const isFinal = (status: string): boolean => status === '' || status === 'F' || status === 'C' || status === 'U'

/**
 * The reports of a file, one for each order that it names.
 * @returns undefined: it is no HL7, or has no ORU
 */
export function readReports(bytes: Uint8Array): Incoming[] | undefined {
  const segments = readSegments(bytes)
  if (!segments) return undefined
  const reports = new Map<string, PartnerResults>()
  let isReport = false
  let current: PartnerResults | undefined
  let code = ''
  let messages = 0
  for (const segment of segments) {
    if (segment.name === 'MSH') {
      isReport = segment.parts(9)[0] === 'ORU'
      if (isReport) messages++
      current = undefined
    }
    if (!isReport) continue
    if (segment.name === 'OBR') {
      const number = segment.parts(2)[0] || segment.parts(3)[0]
      code = segment.parts(4)[0] || segment.parts(4)[1] || ''
      current = undefined
      if (!number) continue
      current = reports.get(number) ?? { state: 'done', values: [], rejected: [] }
      reports.set(number, current)
      const status = segment.field(25).trim()
      if (!isFinal(status) && status !== 'X') current.state = 'part'
    }
    if (current && segment.name === 'OBX') readValue(segment, code, current)
    if (current && segment.name === 'SPM') readRejection(segment, current)
  }
  return messages === 0 ? undefined : [...reports].map(([number, results]) => ({ number, results }))
}

function readValue(obx: Segment, code: string, report: PartnerResults): void {
  const status = obx.field(11).trim()
  if (obx.field(2) === 'ED') {
    // Source application ^ type ^ subtype ^ encoding ^ data.
    const [, type = '', subtype = '', encoding = '', data = ''] = obx.parts(5)
    if (/pdf/i.test(`${type} ${subtype}`) && /base64/i.test(encoding)) report.paper = Buffer.from(data, 'base64')
    return
  }
  const noResult = status === 'X'
  if (!isFinal(status) && !noResult) {
    report.state = 'part'
    return
  }
  const analyte = obx.parts(3)[0] || obx.parts(3)[1] || ''
  const value = obx.parts(5).filter(Boolean).join(' ') || (noResult ? status : '')
  const unit = obx.parts(6)[0] ?? ''
  if (analyte && value) report.values.push({ code, analyte, value, unit, ...(noResult && { noResult }) })
}

function readRejection(spm: Segment, report: PartnerResults): void {
  const [barcode] = spm.parts(2)
  const [reason] = spm.parts(21)
  if (barcode && reason) report.rejected.push({ barcode, reason: rejections[reason] ?? 'tube' })
}
