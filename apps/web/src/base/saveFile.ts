import { notify } from '#kit/notify.tsx'
import { errorMessage } from './apiError.ts'
import { download } from './http.ts'

/** Downloads a file under a name. A failure is shown under the title `failed`; nothing is thrown. */
export async function saveFile(url: string, name: string, failed = 'Файл не скачан'): Promise<void> {
  try {
    await download(url, name)
  } catch (error) {
    notify.error(errorMessage(error), { title: failed })
  }
}
