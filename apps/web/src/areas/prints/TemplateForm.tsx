import type { PrintTemplate } from '@ordinator/model/areas/prints/printTemplate'
import { entityAt } from '@ordinator/model/entities'
import type { Entity, Row } from '@ordinator/model/entity'
import { VStack } from '#kit/Stacks.tsx'
import type { InputProps } from '#records/fields/ui.ts'
import { FormSections } from '#records/form/FormSections.tsx'
import { RecordField } from '#records/form/RecordField.tsx'
import { RecordFields } from '#records/form/RecordFields.tsx'
import { Preview } from './Preview.tsx'
import classes from './Prints.module.css'
import { TextEditor } from './TextEditor.tsx'

const sections = {
  Лист: [
    'paper',
    'orientation',
    'fontSize',
    'marginTop',
    'marginRight',
    'marginBottom',
    'marginLeft',
    'hasPageNumbers',
  ],
  Печать: ['copies', 'askSign', 'idSequence', 'isActive', 'validFrom', 'validTo', 'filials'],
} as const

/** Text and its preview; then page layout and conditions. */
export function TemplateForm({ template }: { template: Row<typeof PrintTemplate> }) {
  const entity = entityAt(template.entity) as Entity
  return (
    <div className={classes.columns}>
      <VStack gap={16} miw={0}>
        <RecordFields names={['name', 'entity', 'kind']} />
        {(['header', 'body', 'footer'] as const).map((name) => (
          <RecordField key={name} name={name} input={inputs(entity)[name]} />
        ))}
        <FormSections sections={sections} />
      </VStack>
      <Preview template={template} />
    </div>
  )
}

const made = new Map<Entity, Record<'header' | 'body' | 'footer', (props: InputProps) => React.ReactNode>>()

/** Editors of an entity's templates, cached so that typing keeps the focus. */
function inputs(entity: Entity) {
  const known = made.get(entity)
  if (known) return known
  const edge = (props: InputProps) => <TextEditor {...props} of={entity} isEdge />
  const all = { header: edge, body: (props: InputProps) => <TextEditor {...props} of={entity} />, footer: edge }
  made.set(entity, all)
  return all
}
