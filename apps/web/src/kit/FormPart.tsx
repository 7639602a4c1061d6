import type { ReactNode } from 'react'
import classes from './FormPart.module.css'
import { Block } from './Stacks.tsx'

interface Props {
  title: string
  /** Fields, as many in a line as have room; what says `data-wide` takes the whole of it. */
  children: ReactNode
}

/** A part of a long form, framed and with a title of its own. */
export function FormPart({ title, children }: Props) {
  return (
    <Block component="fieldset" framed p={16}>
      <legend className={classes.title}>{title}</legend>
      <div className={classes.fields}>{children}</div>
    </Block>
  )
}
