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
}
