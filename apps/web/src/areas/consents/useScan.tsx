import { CustomerFile } from '@ordinator/model/areas/customers/files'
import { errorMessage } from '#base/apiError.ts'
import { uploadFile } from '#base/apiUpload.ts'
import { useFileInput } from '#kit/FilePicker.tsx'
import { notify } from '#kit/notify.tsx'
import { rulesOf } from '#records/uploads.ts'

/** Upload of a signed paper's scan: hidden input, and its opener. @param keep stores the file's id */
export function useScan(keep: (idFile: number) => Promise<unknown>) {
  const attach = async (scan: File | undefined) => {
    if (!scan) return
    try {
      const { id } = await uploadFile(CustomerFile, scan)
      await keep(id)
      notify.success('Скан приложен')
    } catch (error) {
      notify.error(errorMessage(error), { title: 'Скан не приложен' })
    }
  }
  return useFileInput({ ...rulesOf(CustomerFile), onFiles: ([file]) => void attach(file) })
}
