import { apiUrl } from '#base/api.ts'
import { saveFile } from '#base/saveFile.ts'

/** The consent as a file to print. */
export const printConsent = (id: number, name: string): Promise<void> =>
  saveFile(apiUrl('GET /consents/:id/print', { params: { id } }), `${name}.pdf`, 'Документ не распечатан')
