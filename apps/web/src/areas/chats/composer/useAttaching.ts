import { CHAT_FILES } from '@ordinator/model/areas/chats/chatFiles'
import { ChatFile } from '@ordinator/model/areas/chats/liveAssist'
import type { Dispatch, SetStateAction } from 'react'
import { pasteFiles, useFileInput } from '#kit/FilePicker.tsx'
import { useVoice } from '#kit/useVoice.tsx'
import { uploads } from '#records/uploads.ts'
import { useUploads } from '#records/useUploads.ts'
import type { Written } from './written.ts'

/** Files of the answer: picked, pasted, recorded; they upload while one writes. */
export function useAttaching(key: string, setWritten: Dispatch<SetStateAction<Written>>) {
  const going = useUploads(key)
  const add = (list: File[]) =>
    uploads.add(
      {
        key,
        stored: ChatFile,
        whereToLook: 'Откройте чат, чтобы повторить.',
        take: async (file) => {
          setWritten((now) => ({
            ...now,
            files: [...now.files, { id: file.id, name: String(file.name) }].slice(0, CHAT_FILES),
          }))
        },
      },
      list,
    )
  const limits = { maxSize: ChatFile.upload?.maxSize, extensions: ChatFile.upload?.extensions }
  const [voice, record] = useVoice((file) => add([file]))
  const [input, pick] = useFileInput({ onFiles: add, multiple: true, ...limits })
  return { going, voice, record, input, pick, paste: (data: DataTransfer) => pasteFiles(data, limits, add) }
}
