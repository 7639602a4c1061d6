/** Signs by the keys «ТЕСТОВАЯ ПОДПИСЬ» of the server: of a demo, where the setting says so. */
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { SigningError, type SigningPlugin } from './plugin.ts'

export const signatureSimulator: SigningPlugin = {
  name: 'Имитатор подписи',
  certificates: async () => (await api('GET /signatures/simulator/certificates', {})).items,
  async sign(thumbprint, content) {
    try {
      return (await api('POST /signatures/simulator/sign', { body: { thumbprint, content } })).signature
    } catch (error) {
      // The words of the server, and nothing of the plugin that is not there.
      throw new SigningError(
        errorMessage(error),
        'Имитатор подписывает только своими сертификатами: их находит «Найти сертификаты»',
      )
    }
  },
}
