import { CHAT_FILES } from '@ordinator/model/areas/chats/chatFiles'
import type { Dispatch, SetStateAction } from 'react'
import { pasteFiles, useFileInput } from '#kit/FilePicker.tsx'
import { useVoice } from '#kit/useVoice.tsx'
import { type UploadTarget, uploads } from '#records/uploads.ts'
import { useUploads } from '#records/useUploads.ts'
import type { Written } from './written.ts'

/** Files of the answer: picked, pasted, recorded; they upload while one writes. @param stored entity of the file */
export function useAttaching(
  key: string,
  setWritten: Dispatch<SetStateAction<Written>>,
  { stored, whereToLook }: Pick<UploadTarget, 'stored' | 'whereToLook'>,
) {
  const going = useUploads(key)
  const add = (list: File[]) =>
    uploads.add(
      {
        key,
        stored,
        whereToLook,
        take: async (file) => {
          setWritten((now) => ({
            ...now,
            files: [...now.files, { id: file.id, name: String(file.name) }].slice(0, CHAT_FILES),
          }))
        },
      },
      list,
    )
  const limits = { maxSize: stored.upload?.maxSize, extensions: stored.upload?.extensions }
  const [voice, record] = useVoice((file) => add([file]))
  const [input, pick] = useFileInput({ onFiles: add, multiple: true, ...limits })
  return { going, voice, record, input, pick, paste: (data: DataTransfer) => pasteFiles(data, limits, add) }
}
