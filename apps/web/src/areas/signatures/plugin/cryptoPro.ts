/** КриптоПро ЭЦП Browser plug-in through the library `crypto-pro`, loaded on demand. */
import { type FoundCertificate, type SigningPlugin, signingError } from './plugin.ts'

/** Timeout of the plugin in milliseconds; includes its permission prompt. */
const PATIENCE_MS = 60_000

const library = () => import('crypto-pro')

async function patient<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('cadesplugin: не отвечает')), PATIENCE_MS)
  })
  try {
    return await Promise.race([work, late])
  } catch (error) {
    throw signingError(error)
  } finally {
    clearTimeout(timer)
  }
}

export const cryptoPro: SigningPlugin = {
  name: 'КриптоПро ЭЦП',
  certificates: () =>
    patient(
      library().then(async ({ getUserCertificates }) =>
        Promise.all(
          (await getUserCertificates()).map(
            async (one): Promise<FoundCertificate> => ({
              thumbprint: one.thumbprint.toUpperCase(),
              owner: one.name,
              certificate: await one.exportBase64(),
            }),
          ),
        ),
      ),
    ),
  sign: (thumbprint, content) =>
    patient(
      library().then(async ({ createHash, createDetachedSignature }) => {
        const bytes = Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0))
        const hash = await createHash(bytes.buffer)
        return (await createDetachedSignature(thumbprint, hash)).replace(/\s/g, '')
      }),
    ),
  signRaw: (thumbprint, content) =>
    patient(
      library().then(async ({ getCertificate }) => {
        const { _cadesCertificate: certificate } = await getCertificate(thumbprint)
        const plugin: RawPlugin = Reflect.get(window, 'cadesplugin')
        const hashed = (await plugin.CreateObjectAsync('CAdESCOM.HashedData')) as RawHash
        await hashed.propset_Algorithm(GOST_2012_256)
        await hashed.propset_DataEncoding(BASE64)
        await hashed.Hash(content)
        const signer = (await plugin.CreateObjectAsync('CAdESCOM.RawSignature')) as RawSigner
        return bigEndian(await signer.SignHash(hashed, certificate))
      }),
    ),
}

/** CADESCOM_HASH_ALGORITHM_CP_GOST_3411_2012_256 and CADESCOM_BASE64_TO_BINARY. */
const GOST_2012_256 = 101
const BASE64 = 1

/** Objects of the plugin that the library does not wrap: docs.cryptopro.ru/cades/reference/cadescom/cadescom_class/rawsignature. */
interface RawPlugin {
  CreateObjectAsync(name: string): Promise<unknown>
}
interface RawHash {
  propset_Algorithm(algorithm: number): Promise<void>
  propset_DataEncoding(encoding: number): Promise<void>
  Hash(content: string): Promise<void>
}
interface RawSigner {
  SignHash(hash: RawHash, certificate: unknown): Promise<string>
}

/** CryptoAPI gives the bytes of a signature in hexadecimal from the last to the first. @returns base64 */
export const bigEndian = (hex: string): string =>
  btoa(
    (hex.replace(/\s/g, '').match(/../g) ?? [])
      .toReversed()
      .map((byte) => String.fromCharCode(Number.parseInt(byte, 16)))
      .join(''),
  )
