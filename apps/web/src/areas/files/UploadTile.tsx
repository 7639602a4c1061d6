import { CloseButton, Progress, Text } from '@mantine/core'
import { categoryOf, extensionOf } from '@ordinator/model/files'
import { formatFileSize } from '@ordinator/model/format'
import { IconRefresh } from '@tabler/icons-react'
import { FileName } from '#kit/FileName.tsx'
import { fileIcon } from '#kit/fileIcon.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { type Upload, uploads } from '#records/uploads.ts'
import classes from './Attachments.module.css'

/** A file being uploaded: progress, or the error. */
export function UploadTile({ upload }: { upload: Upload }) {
  const { id, file, status, share } = upload
  const Icon = fileIcon(categoryOf(extensionOf(file.name)))
  const percent = Math.floor(share * 100)
  return (
    <li className={classes.tile} data-failed={status === 'failed' || undefined}>
      <span className={classes.thumb}>
        <Icon size={24} stroke={1.5} aria-hidden />
      </span>
      <span className={classes.words} title={file.name}>
        <FileName name={file.name} />
        {status === 'failed' ? (
          <Text span display="block" size="xs" c="var(--mantine-color-error)" role="alert">
            {upload.error}
          </Text>
        ) : (
          <>
            <HStack component="span" align="stretch" c="dimmed" fz="xs" lh="xs" miw={0} className="tabular nowrap">
              {status === 'waiting' && `${formatFileSize(file.size)}, ждёт очереди`}
              {status === 'sending' &&
                `${formatFileSize(file.size * share)} из ${formatFileSize(file.size)}, ${percent} %`}
              {status === 'storing' && 'Обрабатывается…'}
            </HStack>
            <Progress.Root size={4} mt={4}>
              <Progress.Section
                value={percent}
                animated={status === 'storing'}
                aria-label={`Загрузка «${file.name}»`}
                aria-valuetext={status === 'storing' ? 'Обрабатывается' : `${percent} %`}
              />
            </Progress.Root>
          </>
        )}
      </span>
      {status === 'failed' && (
        <IconButton
          icon={IconRefresh}
          label={`Повторить загрузку «${file.name}»`}
          title="Повторить"
          onClick={() => uploads.retry(id)}
        />
      )}
      <CloseButton
        aria-label={status === 'failed' ? `Убрать «${file.name}»` : `Отменить загрузку «${file.name}»`}
        title={status === 'failed' ? 'Убрать' : 'Отменить'}
        onClick={() => uploads.cancel(id)}
      />
    </li>
  )
}
