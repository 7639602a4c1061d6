import type { ReactNode } from 'react'
import classes from './FormPart.module.css'
import { Block } from './Stacks.tsx'

interface Props {
  title: string
  /** Fields, as many per line as fit; `data-wide` makes one full width. */
  children: ReactNode
}

/** A framed section of a long form, with a title. */
export function FormPart({ title, children }: Props) {
  return (
    <Block component="fieldset" framed p={16}>
      <legend className={classes.title}>{title}</legend>
      <div className={classes.fields}>{children}</div>
    </Block>
  )
}
