/**
 * Protection of messages to the Social Fund as a whole: the organization signs the body of a request that carries no
 * sheet, and a message is encrypted for the Fund's certificate as КриптоПро's XML Encryption does (ГОСТ 28147-89, the key by
 * GostR3410-KeyTransport). The Fund encrypts its reply for the certificate that the message carries.
 */
import { X509Certificate } from 'node:crypto'
import { readCommonSettings, secretOf } from '#areas/settings/index.ts'
import { clinicTestKey, gostOf } from '#areas/signatures/index.ts'
import { HttpError } from '#platform/errors.ts'
import type { TestKey } from '#platform/gost.ts'
import { RemoteFault } from '#platform/remote.ts'
import { one, valueAt } from '#platform/xml/tree.ts'
import type { XmlNode } from '#platform/xml/xml.ts'
import type { AppContext } from '#records/context.ts'
import { bodyOf, envelope, outerEnvelope, type SfrRequest } from './wire.ts'
import { signedInfos } from './xmlSignature.ts'

const XENC = 'http://www.w3.org/2001/04/xmlenc#'
const DS = 'http://www.w3.org/2000/09/xmldsig#'
const CIPHER = 'urn:ietf:params:xml:ns:cpxmlsec:algorithms:gost28147'
const TRANSPORT = 'urn:ietf:params:xml:ns:cpxmlsec:algorithms:transport-gost2012-256'

export interface Protection {
  /** The message, with the organization's signature where it has a key and the message carries no sheet. */
  signed(request: SfrRequest): Promise<string>
  /** The message as it goes over the wire: encrypted if the Fund's certificate is known. */
  sealed(message: string): Promise<string>
  /** The content of an encrypted reply; undefined if it is not encrypted. @throws RemoteFault if it cannot be read */
  opened(reply: XmlNode): Promise<Buffer | undefined>
}

/** PEM blocks of a text, also where its line breaks are lost. */
function pemOf(text: string, kind: string): string | undefined {
  const [, body] = new RegExp(`-----BEGIN ${kind}-----([A-Za-z0-9+/=\\s]+)-----END ${kind}-----`).exec(text) ?? []
  const lines = body?.replace(/\s/g, '').match(/.{1,64}/g)
  if (!lines) return undefined
  return `-----BEGIN ${kind}-----\n${lines.join('\n')}\n-----END ${kind}-----\n`
}
const derOf = (pem: string) => pem.replace(/-----[^-]+-----|\s/g, '')
const off = (words: string) => new HttpError(409, words, { code: 'off' })

/** A certificate that is valid today. @throws HttpError 409 */
function live(pem: string | undefined, whose: string): string {
  let end: number
  try {
    end = Date.parse(new X509Certificate(pem ?? '').validTo)
  } catch {
    throw off(`${whose} не читается: вставьте файл .pem в настройках больничных`)
  }
  if (end <= Date.now()) throw off(`${whose} закончился: вставьте новый в настройках больничных`)
  return pem as string
}

async function configured(app: AppContext) {
  const { elnMode, elnFundCertificate } = await readCommonSettings(app.db)
  const secret = await secretOf(app.db, 'elnKey')
  const bare = `-----BEGIN CERTIFICATE-----${elnFundCertificate}-----END CERTIFICATE-----`
  const fund = pemOf(elnFundCertificate, 'CERTIFICATE') ?? pemOf(bare, 'CERTIFICATE')
  return { elnMode, secret, fundText: elnFundCertificate, fund }
}

/** The first day on which a certificate in use ends. */
export async function protectionEnd(app: AppContext): Promise<Date | undefined> {
  const { secret = '', fund } = await configured(app)
  const ends = [pemOf(secret, 'CERTIFICATE'), fund].flatMap((pem) => {
    try {
      return pem ? [Date.parse(new X509Certificate(pem).validTo)] : []
    } catch {
      return []
    }
  })
  return ends.length > 0 ? new Date(Math.min(...ends)) : undefined
}

/** @throws HttpError 409 if what is configured cannot be used */
export async function protectionOf(app: AppContext): Promise<Protection> {
  const { elnMode, secret, fundText, fund: fundPem } = await configured(app)
  const own: TestKey | undefined = secret
    ? {
        key: pemOf(secret, 'PRIVATE KEY') ?? '',
        certificate: live(pemOf(secret, 'CERTIFICATE'), 'Сертификат клиники для СФР'),
      }
    : elnMode === 'test'
      ? await clinicTestKey(app)
      : undefined
  const fund = fundText ? live(fundPem, 'Сертификат СФР') : undefined
  const gost = gostOf(app)
  if ((secret || fund) && !(await gost.isThere()))
    throw off('На сервере нет движка ГОСТ (libengine-gost-openssl): без него сообщения не подписать и не зашифровать')
  if (fund && !own) throw off('Чтобы шифровать, нужен и ключ клиники: по его сертификату СФР шифрует ответ')

  return {
    async signed(request) {
      if (request.signed || !own) return envelope(request)
      const part = bodyOf(request)
      const [signedInfo = ''] = await signedInfos(app, [part])
      const signature = (await gost.signRaw(Buffer.from(signedInfo), own)).toString('base64')
      return envelope({
        ...request,
        signed: [{ id: part.id, signedInfo, signature, certificate: derOf(own.certificate) }],
      })
    },
    async sealed(message) {
      if (!fund || !own) return message
      const { key, content } = await gost.encrypt(Buffer.from(message), fund)
      const value = (bytes: Uint8Array) =>
        `<xenc:CipherData><xenc:CipherValue>${Buffer.from(bytes).toString('base64')}</xenc:CipherValue></xenc:CipherData>`
      return outerEnvelope(
        `<xenc:EncryptedData xmlns:xenc="${XENC}" Type="${XENC}Element"><xenc:EncryptionMethod Algorithm="${CIPHER}"/><ds:KeyInfo xmlns:ds="${DS}"><xenc:EncryptedKey><xenc:EncryptionMethod Algorithm="${TRANSPORT}"/><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${derOf(own.certificate)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>${value(key)}</xenc:EncryptedKey></ds:KeyInfo>${value(content)}</xenc:EncryptedData>`,
      )
    },
    async opened(reply) {
      const data = one(reply, 'Body/EncryptedData')
      if (!data) return undefined
      if (!own) throw new RemoteFault('Ответ СФР зашифрован, а ключа клиники в настройках нет', true)
      const bytes = (path: string) => Buffer.from(valueAt(data, path) ?? '', 'base64')
      try {
        return await gost.decrypt(
          {
            key: bytes('KeyInfo/EncryptedKey/CipherData/CipherValue'),
            content: bytes('CipherData/CipherValue'),
          },
          own,
        )
      } catch {
        throw new RemoteFault('Ответ СФР не расшифрован: он не для ключа клиники', true)
      }
    },
  }
}
