import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import { formatFileSize, formatFromNow } from '@ordinator/model/format'
import { wordsOfHtml } from '@ordinator/model/mentions'
import { isPicture, shownInPlace } from '@ordinator/model/storedFile'
import { IconCornerDownRight, IconDots, IconLink, IconPencil, IconPointFilled, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { formatDateTime } from '../../kit/clock.ts'
import { FileName } from '../../kit/FileName.tsx'
import { fileIcon } from '../../kit/fileIcon.ts'
import { personName, UserAvatar } from '../../kit/UserAvatar.tsx'
import { RichText } from '../RichText.tsx'
import { Composer, type Written } from './Composer.tsx'
import classes from './comments.module.css'
import type { CommentRow, Discussion, StoredFile } from './discussion.ts'

interface Props {
  discussion: Discussion
  comment: CommentRow
  mine: boolean
  isNew: boolean
  /** Came here by its link. */
  sought: boolean
  onReply?: () => void
  onEdit: (written: Written) => Promise<void>
  onRemove: () => void
  onCopy?: () => void
}

/** One comment: whose, when, what, with its files and what may be done with it. */
export function CommentItem({ discussion, comment, mine, isNew, sought, onReply, onEdit, onRemove, onCopy }: Props) {
  const [editing, setEditing] = useState(false)
  const author = personName(comment.user ?? {})
  const mayRemove = mine || discussion.mayRemove === true
  return (
    <article
      className={classes.comment}
      data-comment={comment.id}
      data-sought={sought || undefined}
      tabIndex={-1}
      aria-label={`Комментарий, ${author}, ${formatDateTime(comment.dateCreate)}`}
    >
      <UserAvatar user={comment.user ?? {}} size={28} />
      <div className={classes.body}>
        <div className={classes.head}>
          <span className={classes.author}>{author}</span>
          <Moment value={comment.dateCreate} />
          {comment.dateChange && (
            <Tooltip label={`Изменён ${formatDateTime(comment.dateChange)}`} openDelay={100}>
              <span className={classes.dim}>изменён</span>
            </Tooltip>
          )}
          {isNew && <IconPointFilled size={14} className={classes.new} role="img" aria-label="Новый" />}
          {!editing && (mine || mayRemove || onCopy) && (
            <Menu position="bottom-end" width={220}>
              <Menu.Target>
                <ActionIcon
                  className={classes.more}
                  size={24}
                  variant="subtle"
                  color="gray"
                  aria-label={`Действия с комментарием, ${author}`}
                >
                  <IconDots size={16} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                {onCopy && (
                  <Menu.Item leftSection={<IconLink size={16} />} onClick={onCopy}>
                    Скопировать ссылку
                  </Menu.Item>
                )}
                {mine && (
                  <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setEditing(true)}>
                    Изменить
                  </Menu.Item>
                )}
                {mayRemove && (
                  <Menu.Item
                    color="var(--mantine-color-error)"
                    leftSection={<IconTrash size={16} />}
                    onClick={onRemove}
                  >
                    Удалить
                  </Menu.Item>
                )}
              </Menu.Dropdown>
            </Menu>
          )}
        </div>
        {editing ? (
          <Composer
            discussion={discussion}
            draft={`edit:${comment.id}`}
            initial={comment.message}
            label="Текст комментария"
            send="Сохранить"
            autoFocus
            onCancel={() => setEditing(false)}
            onSend={async (written) => {
              await onEdit(written)
              setEditing(false)
            }}
          />
        ) : (
          wordsOfHtml(comment.message) !== '' && <RichText html={comment.message} />
        )}
        <Files files={comment.files ?? []} />
        {!editing && onReply && (
          <Button
            className={classes.reply}
            size="compact-xs"
            variant="subtle"
            color="gray"
            leftSection={<IconCornerDownRight size={14} />}
            onClick={onReply}
          >
            Ответить
          </Button>
        )}
      </div>
    </article>
  )
}

/** When, exactly; how long ago, on asking. */
export function Moment({ value }: { value: string }) {
  return (
    <Tooltip label={formatFromNow(value)} openDelay={100}>
      <time className={`${classes.dim} tabular`} dateTime={value}>
        {formatDateTime(value)}
      </time>
    </Tooltip>
  )
}

function Files({ files }: { files: NonNullable<CommentRow['files']> }) {
  const present = files.flatMap(({ file }) => (file ? [file] : []))
  if (present.length === 0) return null
  return (
    <ul className={classes.files} aria-label="Файлы">
      {present.map((file) => (
        <li key={file.id}>
          <FileChip file={file} />
        </li>
      ))}
    </ul>
  )
}

function FileChip({ file }: { file: StoredFile }) {
  const Icon = fileIcon(file.meta.category)
  const shown = shownInPlace(file.meta.type)
  const small = isPicture(file.meta) && file.meta.previews?.includes('small') ? `${file.url}/small` : undefined
  return (
    <a
      className={classes.file}
      href={shown ? file.url : `${file.url}?download=1`}
      {...(shown ? { target: '_blank', rel: 'noopener' } : { download: true })}
    >
      {small ? (
        <img className={classes.thumb} src={small} alt="" loading="lazy" />
      ) : (
        <Icon size={18} stroke={1.5} aria-hidden />
      )}
      <FileName name={file.name} />
      <span className={classes.size}>{formatFileSize(file.size)}</span>
    </a>
  )
}
