import { Menu } from '@mantine/core'
import { RichTextEditor as Frame } from '@mantine/tiptap'
import { codeKinds, formats } from '@ordinator/model/areas/prints/formats'
import { PrintFile, PrintPicture } from '@ordinator/model/areas/prints/printTemplate'
import type { Entity } from '@ordinator/model/entity'
import { IconPhotoPlus, IconTablePlus } from '@tabler/icons-react'
import type { Command } from '@tiptap/pm/state'
import {
  addColumnAfter,
  addRowAfter,
  deleteColumn,
  deleteRow,
  deleteTable,
  isInTable,
  toggleHeaderRow,
} from '@tiptap/pm/tables'
import type { Editor } from '@tiptap/react'
import { errorMessage } from '#base/apiError.ts'
import { uploadFile } from '#base/apiUpload.ts'
import { recordsWith } from '#base/client.ts'
import { useFileInput } from '#kit/FilePicker.tsx'
import { notify } from '#kit/notify.tsx'
import { RichTextEditor } from '#records/fields/richTextPart.tsx'
import type { InputProps } from '#records/fields/ui.ts'
import { rulesOf } from '#records/uploads.ts'
import { newTable, printExtensions, toggleLines } from './extensions.ts'
import classes from './Prints.module.css'
import { VariablePicker } from './VariablePicker.tsx'

/** Errors are shown in one toast. */
const quiet = recordsWith({ forbidden: 'silent' })

interface Props extends InputProps {
  /** Entity of the records. */
  of: Entity
  /** For the header or the footer. */
  isEdge?: boolean
}

/** Editor of a template's text: rich text with placeholders, tables and pictures. */
export function TextEditor({ of, isEdge, ...props }: Props) {
  return (
    <div className={classes.editor} data-edge={isEdge || undefined}>
      <RichTextEditor
        {...props}
        extensions={printExtensions}
        controls={(editor) => <Controls editor={editor} of={of} idTemplate={props.row?.id} />}
      />
    </div>
  )
}

function Controls({ editor, of, idTemplate }: { editor: Editor; of: Entity; idTemplate: number | undefined }) {
  const insert = (text: string) => void editor.chain().focus().insertContent(text).run()
  const add = async (file: File | undefined) => {
    if (!file || idTemplate === undefined) return
    try {
      const { id: idFile, url } = await uploadFile(PrintFile, file)
      await quiet.create(PrintPicture, { idTemplate, idFile })
      editor
        .chain()
        .focus()
        .insertContent({ type: 'picture', attrs: { src: url, alt: file.name } })
        .run()
    } catch (error) {
      notify.error(errorMessage(error))
    }
  }
  const [input, choose] = useFileInput({ onFiles: ([file]) => void add(file), ...rulesOf(PrintFile) })
  return (
    <>
      <Frame.ControlsGroup>
        <VariablePicker entity={of} onPick={insert} />
        <FormatMenu editor={editor} />
        <RuleMenu onPick={insert} />
      </Frame.ControlsGroup>
      <Frame.ControlsGroup>
        <TableMenu editor={editor} />
        <Frame.Control aria-label="Вставить картинку" title="Вставить картинку" onClick={choose}>
          <IconPhotoPlus size={16} aria-hidden />
        </Frame.Control>
        {input}
      </Frame.ControlsGroup>
    </>
  )
}

/** Position of the placeholder at the cursor, or right before it. */
function placeAt(editor: Editor): number | undefined {
  const { $from } = editor.state.selection
  const text = $from.parent.textBetween(0, $from.parent.content.size, undefined, ' ')
  for (const { 0: whole, index } of text.matchAll(/\{\{[^{}]*\}\}/g))
    if ($from.parentOffset >= index && $from.parentOffset <= index + whole.length)
      return $from.start() + index + whole.trimEnd().length - 2
  return undefined
}

function FormatMenu({ editor }: { editor: Editor }) {
  const use = (name: string) => {
    const at = placeAt(editor)
    if (at === undefined) return notify.info('Поставьте курсор в переменную, которой нужен вид')
    const before = editor.state.doc.textBetween(at - 1, at)
    editor
      .chain()
      .focus()
      .insertContentAt(at, `${before === ' ' ? '' : ' '}| ${name} `)
      .run()
  }
  const all = [
    ...Object.entries(formats).map(([name, { example }]) => [name, example] as const),
    ['или "—"', '—, если пусто'] as const,
    ...Object.entries(codeKinds),
  ]
  return (
    <TextMenu label="Вид" hint="Вид переменной">
      {all.map(([name, example]) => (
        <Menu.Item key={name} onClick={() => use(name)} rightSection={<small>{example}</small>}>
          {name}
        </Menu.Item>
      ))}
    </TextMenu>
  )
}

const rules = [
  ['Если заполнено', '{{ если Переменная }} {{ конец }}'],
  ['Если … иначе', '{{ если Переменная }} {{ иначе }} {{ конец }}'],
  ['Если равно', '{{ если Переменная = "значение" }} {{ конец }}'],
] as const

const RuleMenu = ({ onPick }: { onPick: (text: string) => void }) => (
  <TextMenu label="Условие" hint="Условие: показать часть текста">
    {rules.map(([name, text]) => (
      <Menu.Item key={name} onClick={() => onPick(text)}>
        {name}
      </Menu.Item>
    ))}
  </TextMenu>
)

const tableActions: readonly (readonly [string, Command])[] = [
  ['Строка ниже', addRowAfter],
  ['Столбец справа', addColumnAfter],
  ['Первая строка — шапка', toggleHeaderRow],
  ['С линиями или без', toggleLines],
  ['Удалить строку', deleteRow],
  ['Удалить столбец', deleteColumn],
  ['Удалить таблицу', deleteTable],
]

function TableMenu({ editor }: { editor: Editor }) {
  const inside = isInTable(editor.state)
  return (
    <TextMenu label="Таблица" hint="Таблица">
      <Menu.Item
        leftSection={<IconTablePlus size={16} aria-hidden />}
        disabled={inside}
        onClick={() => editor.chain().focus().insertContent(newTable).run()}
      >
        Вставить таблицу
      </Menu.Item>
      {inside &&
        tableActions.map(([label, command]) => (
          <Menu.Item
            key={label}
            onClick={() => {
              command(editor.state, editor.view.dispatch)
              editor.commands.focus()
            }}
          >
            {label}
          </Menu.Item>
        ))}
    </TextMenu>
  )
}

function TextMenu({ label, hint, children }: { label: string; hint: string; children: React.ReactNode }) {
  return (
    <Menu position="bottom-start" returnFocus={false}>
      <Menu.Target>
        <Frame.Control className={classes.word} aria-label={hint} title={hint}>
          {label}
        </Frame.Control>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflow: 'auto' }}>
        {children}
      </Menu.Dropdown>
    </Menu>
  )
}
