import classes from './FileName.module.css'

/** A file name, truncated before its extension. */
export function FileName({ name }: { name: string }) {
  const at = name.lastIndexOf('.')
  const cut = at > 0 && name.length - at <= 9 ? at : name.length
  return (
    <span className={classes.name} data-file-name>
      <span className={classes.stem}>{name.slice(0, cut)}</span>
      {name.slice(cut)}
    </span>
  )
}
