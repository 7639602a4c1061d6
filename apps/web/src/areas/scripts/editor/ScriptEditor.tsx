import { OldScript, ScriptGroup } from '@ordinator/model/areas/scripts/script'
import type { Row } from '@ordinator/model/entity'
import { RecordField } from '#records/form/RecordField.tsx'
import { RecordForm } from '#records/RecordForm.tsx'
import { Conversation } from './Conversation.tsx'
import classes from './ScriptEditor.module.css'

interface Props {
  /** Absent: a new script. */
  script?: Row<typeof OldScript>
  /** Group of a new script. */
  idGroup?: number | undefined
  onSaved: (script: Row<typeof OldScript>) => void
  onCancel: () => void
}

/** Form of a script: name and group, text, and branching steps. */
export function ScriptEditor({ script, idGroup, onSaved, onCancel }: Props) {
  return (
    <div className={classes.editor}>
      <RecordForm entity={OldScript} record={script} initial={{ idGroup }} onSaved={onSaved} onCancel={onCancel}>
        <div className={classes.fields}>
          <RecordField name="name" autoFocus={!script} />
          <RecordField name="idGroup" placeholder={ScriptGroup.label[0]} />
          <div className={classes.active}>
            <RecordField name="active" help="Выключенный не предлагают, где прикрепляют скрипты" />
          </div>
        </div>
        <RecordField name="description" help="Показывается над шагами: когда и зачем этот разговор" />
        <RecordField name="params" label="Разговор" input={Conversation} />
      </RecordForm>
    </div>
  )
}
