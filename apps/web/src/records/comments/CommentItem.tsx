import { Tooltip } from '@mantine/core'
import { formatFileSize, formatFromNow } from '@ordinator/model/format'
import { wordsOfHtml } from '@ordinator/model/mentions'
import { isPicture, shownInPlace } from '@ordinator/model/storedFile'
import { IconCornerDownRight, IconLink, IconPencil, IconPointFilled, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { FileName } from '#kit/FileName.tsx'
import { fileIcon } from '#kit/fileIcon.ts'
import { personName, UserAvatar } from '#kit/UserAvatar.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { RichText } from '../RichText.tsx'
import { Composer, type Written } from './Composer.tsx'
import classes from './comments.module.css'
import type { CommentRow, Discussion, StoredFile } from './discussion.ts'

interface Props {
  discussion: Discussion
  comment: CommentRow
  mine: boolean
  isNew: boolean
  /** Opened by a link to it. */
  sought: boolean
  onReply?: () => void
  onEdit: (written: Written) => Promise<void>
  onRemove: () => void
  onCopy?: () => void
}

/** One comment: author, time, text, files and actions. */
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
          <UserLink user={comment.user ?? {}} className={classes.author} />
          <Moment value={comment.dateCreate} />
          {comment.dateChange && (
            <Tooltip label={`Изменён ${formatDateTime(comment.dateChange)}`} openDelay={100}>
              <span className={classes.dim}>изменён</span>
            </Tooltip>
          )}
          {isNew && <IconPointFilled size={14} className={classes.new} role="img" aria-label="Новый" />}
          {!editing && (mine || mayRemove || onCopy) && (
            <ActionMenu label={`Действия с комментарием, ${author}`} size={24} className={classes.more} width={220}>
              {onCopy && <MenuItem label="Скопировать ссылку" icon={IconLink} onClick={onCopy} />}
              {mine && <MenuItem label="Изменить" icon={IconPencil} onClick={() => setEditing(true)} />}
              {mayRemove && <MenuItem label="Удалить" danger icon={IconTrash} onClick={onRemove} />}
            </ActionMenu>
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
          <ActionButton
            label="Ответить"
            className={classes.reply}
            size="compact-xs"
            variant="subtle"
            color="gray"
            icon={IconCornerDownRight}
            onClick={onReply}
          />
        )}
      </div>
    </article>
  )
}

/** The exact time; the relative time as a tooltip. */
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
