/** Parser of certificates. */
import { X509Certificate } from 'node:crypto'
import type { CertificateKind } from '@ordinator/model/areas/signatures/certificate'
import { ValidationError } from '#platform/errors.ts'

export interface CertificateFacts {
  owner: string
  organization: string | null
  snils: string | null
  ogrn: string | null
  inn: string | null
  issuer: string
  serial: string
  /** SHA-1, 40 uppercase hexadecimal digits. */
  thumbprint: string
  kind: CertificateKind
  /** ISO */
  dateFrom: string
  dateTo: string
  /** DER */
  bytes: Buffer
}

/** Names of subject fields by their OID (приказ ФСБ № 795), for an OpenSSL that does not know them. */
const OIDS = {
  SNILS: '1.2.643.100.3',
  OGRN: '1.2.643.100.1',
  INN: '1.2.643.3.131.1.1',
  INNLE: '1.2.643.100.4',
} as const
/** A qualified certificate names the tools of its authority (приказ ФСБ № 795, п. 29). */
const QUALIFIED = '1.2.643.100.112'

/** @param text base64 of DER, or PEM @throws ValidationError that names `certificate` */
export function readCertificate(text: string): CertificateFacts {
  return factsOf(parse(text))
}

function parse(text: string): X509Certificate {
  try {
    const bare = text.includes('BEGIN CERTIFICATE') ? text : Buffer.from(text.replace(/\s/g, ''), 'base64')
    return new X509Certificate(bare)
  } catch {
    throw new ValidationError([{ field: 'certificate', message: 'Это не сертификат: нужен файл .cer или .pem' }])
  }
}

export function factsOf(certificate: X509Certificate): CertificateFacts {
  const subject = fieldsOf(certificate.subject)
  const issuer = fieldsOf(certificate.issuer)
  const person = [subject.get('SN'), subject.get('GN')].filter(Boolean).join(' ')
  const common = subject.get('CN') ?? ''
  const organization = subject.get('O') ?? null
  const digits = (name: keyof typeof OIDS) =>
    (subject.get(name) ?? subject.get(OIDS[name]))?.replace(/[^\d]/g, '') || null
  const isTest = organization === 'ТЕСТОВАЯ ПОДПИСЬ' || common.includes('ТЕСТОВАЯ ПОДПИСЬ')
  return {
    owner: (person || common || organization || 'Без имени').slice(0, 300),
    organization: (organization ?? (person && common !== person ? common : null))?.slice(0, 300) ?? null,
    snils: digits('SNILS'),
    ogrn: digits('OGRN'),
    inn: digits('INNLE') ?? digits('INN'),
    issuer: (issuer.get('CN') ?? issuer.get('O') ?? 'Неизвестен').slice(0, 300),
    serial: certificate.serialNumber.slice(0, 64),
    thumbprint: certificate.fingerprint.replaceAll(':', ''),
    kind: isTest ? 'test' : certificate.raw.includes(oidBytes(QUALIFIED)) ? 'qualified' : 'unqualified',
    dateFrom: new Date(certificate.validFrom).toISOString(),
    dateTo: new Date(certificate.validTo).toISOString(),
    bytes: certificate.raw,
  }
}

/** The fields of a name in Node's format: one per line, `CN=Иванова Анна`. */
const fieldsOf = (name: string): Map<string, string> =>
  new Map(
    name.split('\n').flatMap((line): [string, string][] => {
      const at = line.indexOf('=')
      return at > 0 ? [[line.slice(0, at), line.slice(at + 1).replace(/\\(.)/g, '$1')]] : []
    }),
  )

/** An OID in DER encoding (X.690, 8.19). */
function oidBytes(oid: string): Buffer {
  const [first = 0, second = 0, ...rest] = oid.split('.').map(Number)
  const bytes = [first * 40 + second]
  for (const part of rest) {
    const own = [part & 0x7f]
    for (let left = part >> 7; left > 0; left >>= 7) own.unshift((left & 0x7f) | 0x80)
    bytes.push(...own)
  }
  return Buffer.from([0x06, bytes.length, ...bytes])
}
