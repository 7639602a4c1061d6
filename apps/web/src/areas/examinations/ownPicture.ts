import { api, apiUrl } from '#base/api.ts'

/** Where one of the clinic's own pictures is. */
export const ownPictureUrl = (name: string): string =>
  apiUrl('GET /examination-templates/pictures/:name', { params: { name } })

/** Uploads a picture. @param picture data address @returns its name */
export const addOwnPicture = async (picture: string): Promise<string> =>
  (await api('POST /examination-templates/pictures', { body: { picture } }, { forbidden: 'toast' })).name

/** A file or an answer as a data address. */
export const dataAddress = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
