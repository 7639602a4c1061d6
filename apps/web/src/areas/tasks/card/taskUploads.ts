import { TaskUpload as StoredFile, TaskFile } from '@ordinator/model/areas/tasks/file'
import type { QueryClient } from '@tanstack/react-query'
import { recordsWith } from '#base/client.ts'
import { invalidateRecords } from '#records/keys.ts'
import type { UploadTarget } from '#records/uploads.ts'

const taskUploadsKey = (idTask: number): string => `task:${idTask}`

/** Upload target of a task's attachments. */
export const toTask = (idTask: number, cache: QueryClient): UploadTarget => ({
  key: taskUploadsKey(idTask),
  stored: StoredFile,
  whereToLook: 'Откройте задачу, чтобы повторить.',
  async take({ id }) {
    await quiet.create(TaskFile, { idTask, idFile: id })
    // Replaces the upload's row by the attachment without a gap.
    await invalidateRecords(cache, TaskFile.path)
  },
})

/** Errors are shown at the file itself. */
const quiet = recordsWith({ forbidden: 'silent' })
