import type { ReactNode } from 'react'
import { HStack } from '#kit/Stacks.tsx'
import classes from '../registry/Registry.module.css'
import { RecordFields } from './RecordFields.tsx'

/** Fields by heading, in order; a tool is placed beside its heading. */
export type Sections = Readonly<Record<string, readonly string[] | { fields: readonly string[]; tool: ReactNode }>>

/** The fields of a form by sections. */
export const FormSections = ({ sections, autoFocus }: { sections: Sections; autoFocus?: boolean }) =>
  Object.entries(sections).map(([title, section], at) => {
    const { fields, tool } = 'fields' in section ? section : { fields: section, tool: undefined }
    return (
      <section key={title} aria-label={title}>
        <HStack justify="space-between" className={classes.section}>
          <h2 className={classes.partsTitle}>{title}</h2>
          {tool}
        </HStack>
        <RecordFields names={fields} autoFocus={autoFocus && at === 0} />
      </section>
    )
  })
