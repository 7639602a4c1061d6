/** Signs by the keys «ТЕСТОВАЯ ПОДПИСЬ» of the server: of a demo, where the setting says so. */
import { api } from '../../../base/api.ts'
import type { SigningPlugin } from './plugin.ts'

export const signatureSimulator: SigningPlugin = {
  name: 'Имитатор подписи',
  certificates: async () => (await api('GET /signatures/simulator/certificates', {})).items,
  sign: async (thumbprint, content) =>
    (await api('POST /signatures/simulator/sign', { body: { thumbprint, content } })).signature,
}
