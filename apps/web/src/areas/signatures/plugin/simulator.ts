/** Signs with the server's «ТЕСТОВАЯ ПОДПИСЬ» keys: only in a demo, or by the setting. */
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { SigningError, type SigningPlugin } from './plugin.ts'

async function signed(thumbprint: string, content: string, raw: boolean): Promise<string> {
  try {
    return (await api('POST /signatures/simulator/sign', { body: { thumbprint, content, raw } })).signature
  } catch (error) {
    // The server's message, without hints about a plugin.
    throw new SigningError(
      errorMessage(error),
      'Имитатор подписывает только своими сертификатами: их находит «Найти сертификаты»',
    )
  }
}

export const signatureSimulator: SigningPlugin = {
  name: 'Имитатор подписи',
  certificates: async () => (await api('GET /signatures/simulator/certificates', {})).items,
  sign: (thumbprint, content) => signed(thumbprint, content, false),
  signRaw: (thumbprint, content) => signed(thumbprint, content, true),
}
