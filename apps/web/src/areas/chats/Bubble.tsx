import { messageStates } from '@ordinator/model/areas/chats/liveAssist'
import { formatFileSize } from '@ordinator/model/format'
import { type FileMeta, isPicture, isSound } from '@ordinator/model/storedFile'
import { IconAlertCircle, IconCheck, IconChecks } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { FileName } from '#kit/FileName.tsx'
import { SoundPlayer } from '#kit/SoundPlayer.tsx'
import classes from './message.module.css'

/** A message of a conversation. */
export const Bubble = ({
  side,
  tone,
  author,
  children,
  foot,
}: {
  side: 'in' | 'out'
  tone?: string
  author?: ReactNode
  children: ReactNode
  foot: ReactNode
}) => (
  <article className={classes.bubble} data-side={side} data-tone={tone}>
    {author && <span className={classes.author}>{author}</span>}
    {children}
    <footer className={`${classes.foot} tabular`}>{foot}</footer>
  </article>
)

interface FileOf {
  file: { id: number; name: string; size: number; url: string; meta: FileMeta } | null
}

/** Files of a message: pictures and voice inline, others by name. */
export const MessageFiles = ({ files }: { files: readonly FileOf[] }) =>
  files.map(({ file }) =>
    file && isPicture(file.meta) ? (
      <a key={file.id} href={file.url} target="_blank" rel="noopener" className={classes.picture}>
        <img src={`${file.url}/medium`} alt={file.name} loading="lazy" />
      </a>
    ) : file && isSound(file.meta) ? (
      <div key={file.id} className={classes.sound}>
        <SoundPlayer src={file.url} download={`${file.url}?download`} label={file.name} />
      </div>
    ) : (
      file && (
        <a key={file.id} href={`${file.url}?download`} className={classes.file}>
          <FileName name={file.name} />
          <span className="tabular">{formatFileSize(file.size)}</span>
        </a>
      )
    ),
  )

const marks = { failed: IconAlertCircle, sent: IconCheck, delivered: IconChecks, read: IconChecks } as const

/** Delivery state of our message. */
export function Delivery({ state }: { state: keyof typeof messageStates }) {
  const Icon = marks[state]
  return (
    <span
      className={classes.mark}
      data-state={state}
      title={messageStates[state]}
      role="img"
      aria-label={messageStates[state]}
    >
      <Icon size={14} aria-hidden />
    </span>
  )
}
