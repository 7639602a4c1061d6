import { CloseButton } from '@mantine/core'
import { FileName } from '#kit/FileName.tsx'
import { uploads } from '#records/uploads.ts'
import type { useUploads } from '#records/useUploads.ts'
import classes from './message.module.css'

export interface AnswerFile {
  id: number
  name: string
}

interface Props {
  files: readonly AnswerFile[]
  going: ReturnType<typeof useUploads>
  onRemove: (file: AnswerFile) => void
}

/** Attachments of an answer: uploaded, and uploading. */
export function AnswerFiles({ files, going, onRemove }: Props) {
  if (files.length + going.length === 0) return null
  return (
    <ul className={classes.files} aria-label="Файлы ответа">
      {files.map((file) => (
        <li key={file.id} className={classes.file}>
          <FileName name={file.name} />
          <CloseButton size="sm" aria-label={`Убрать файл «${file.name}»`} onClick={() => onRemove(file)} />
        </li>
      ))}
      {going.map((one) => (
        <li key={one.id} className={classes.file} data-failed={one.status === 'failed' || undefined}>
          <FileName name={one.file.name} />
          <span className="tabular">{one.status === 'failed' ? one.error : `${Math.floor(one.share * 100)} %`}</span>
          <CloseButton
            size="sm"
            aria-label={`Отменить загрузку «${one.file.name}»`}
            onClick={() => uploads.cancel(one.id)}
          />
        </li>
      ))}
    </ul>
  )
}
