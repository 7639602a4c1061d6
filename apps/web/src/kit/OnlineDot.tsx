import classes from './OnlineDot.module.css'

interface Props {
  online: boolean
  /** In the corner of an avatar. */
  corner?: boolean
  /** With the text beside it. */
  label?: boolean
  /** Hidden from screen readers: it repeats beside many names. */
  mute?: boolean
}

/** Presence: a filled dot when online, a ring when offline. */
export function OnlineDot({ online, corner, label, mute }: Props) {
  const text = online ? 'В сети' : 'Не в сети'
  if (label)
    return (
      <span className={classes.labelled} data-online={online || undefined}>
        <span className={classes.dot} data-online={online || undefined} aria-hidden />
        {text}
      </span>
    )
  return (
    <span
      className={classes.dot}
      data-online={online || undefined}
      data-corner={corner || undefined}
      {...(mute ? { 'aria-hidden': true } : { role: 'img', 'aria-label': text })}
    />
  )
}
