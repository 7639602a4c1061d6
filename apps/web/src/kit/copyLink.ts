import { copyText } from './copy.ts'
import { notify } from './notify.tsx'
import { APP } from './root.ts'

/**
 * Copies the address of an open record to the clipboard, with a toast.
 * @param path within the app, without `/app`
 * @param title above the link when the browser does not allow copying: «Ссылка на задачу»
 */
export async function copyLink(path: string, title: string): Promise<void> {
  if (await copyText(`${location.origin}${APP}${path}`, title)) notify.success('Ссылка скопирована')
}
