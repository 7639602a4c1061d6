import { api, apiUrl } from '#base/api.ts'

/** URL of an own picture. */
export const ownPictureUrl = (name: string): string =>
  apiUrl('GET /examination-templates/pictures/:name', { params: { name } })

/** Uploads a picture. @param picture data URL @returns its name */
export const addOwnPicture = async (picture: string): Promise<string> =>
  (await api('POST /examination-templates/pictures', { body: { picture } }, { forbidden: 'toast' })).name

/** Blob as a data URL. */
export const dataAddress = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
