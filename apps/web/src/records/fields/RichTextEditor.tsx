import '@mantine/core/styles/Typography.layer.css'
import '@mantine/tiptap/styles.layer.css'
import { Input } from '@mantine/core'
import { RichTextEditor as Frame, type RichTextEditorLabels } from '@mantine/tiptap'
import Link from '@tiptap/extension-link'
import Placeholder from '@tiptap/extension-placeholder'
import { type AnyExtension, type Editor, useEditor } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import type { Mentionable } from './mentionable.ts'
import { useMentionSuggest } from './mentionSuggest.tsx'
import { pastedRows } from './pastedTable.ts'
import classes from './RichTextEditor.module.css'
import type { InputProps } from './ui.ts'

const extensions = (placeholder: string) => [
  StarterKit.configure({ link: false, heading: { levels: [2, 3] } }),
  Link.configure({ openOnClick: false, defaultProtocol: 'https' }),
  Placeholder.configure({ placeholder }),
]

export interface RichTextEditorProps extends Omit<InputProps, 'entity' | 'f'> {
  /** A small editor for a line or two: few controls, and the label is for screen readers only. */
  compact?: boolean
  /** People who can be mentioned with @; absent: none. */
  mentions?: readonly Mentionable[]
  /** Ctrl+Enter. */
  onSubmit?: () => void
  onEscape?: () => void
  /** At the end of the toolbar. */
  tools?: ReactNode
  /** More extensions; must be constant. */
  extensions?: readonly AnyExtension[]
  /** More groups in the toolbar of a large editor. */
  controls?: (editor: Editor) => ReactNode
}

/** The HTML editor, in a chunk of its own. An empty text is null, never an empty paragraph. */
export default function RichTextEditor(props: RichTextEditorProps) {
  const { value, onChange, onBlur, label, description, error, required, readOnly, placeholder, name } = props
  const { compact, mentions, onSubmit, onEscape, tools, controls } = props
  const id = useId()
  const shown = useRef(String(value ?? ''))
  const latest = useRef({ onChange, onBlur, onSubmit, onEscape })
  latest.current = { onChange, onBlur, onSubmit, onEscape }
  const suggest = useMentionSuggest(mentions)
  const editor = useEditor({
    extensions: [...extensions(placeholder ?? ''), suggest.extension, ...(props.extensions ?? [])],
    autofocus: props.autoFocus ? 'end' : false,
    content: shown.current,
    editable: !readOnly,
    shouldRerenderOnTransaction: true,
    editorProps: {
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        ...(compact ? { 'aria-label': String(label) } : { 'aria-labelledby': `${id}-label` }),
        ...(error ? { 'aria-invalid': 'true', 'aria-describedby': `${id}-error` } : {}),
        // A surrounding dialog stays open on an Escape handled by the editor, and while a comment has unsent text.
        ...(onEscape || suggest.isOpen() || (mentions && value) ? { 'data-mantine-stop-propagation': 'true' } : {}),
        ...suggest.attributes,
      },
      handlePaste(view, event) {
        const rows = pastedRows(view.state.schema, event.clipboardData?.getData('text/html') ?? '')
        if (!rows) return false
        view.dispatch(view.state.tr.replaceSelection(rows).scrollIntoView())
        return true
      },
      handleKeyDown(_, event) {
        if (suggest.isOpen()) return false
        if (event.key === 'Escape' && latest.current.onEscape) latest.current.onEscape()
        else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && latest.current.onSubmit)
          latest.current.onSubmit()
        else return false
        event.preventDefault()
        event.stopPropagation()
        return true
      },
    },
    onUpdate: ({ editor: e }) => {
      const html = e.isEmpty ? '' : e.getHTML()
      shown.current = html
      latest.current.onChange(html === '' ? null : html)
    },
    onBlur: () => latest.current.onBlur?.(),
  })

  // A value set from outside (a reset, a draft) replaces the text; the user's own input is already shown.
  useEffect(() => {
    const given = String(value ?? '')
    if (!editor || given === shown.current) return
    shown.current = given
    editor.commands.setContent(given, { emitUpdate: false })
  }, [editor, value])

  useEffect(() => {
    editor?.setEditable(!readOnly, false)
  }, [editor, readOnly])

  return (
    <Input.Wrapper
      label={compact ? undefined : label}
      description={description}
      error={error}
      withAsterisk={required}
      labelElement="div"
      labelProps={{ id: `${id}-label`, onClick: () => editor?.commands.focus() }}
      errorProps={{ id: `${id}-error` }}
    >
      <Frame
        editor={editor}
        labels={labels}
        className={classes.frame}
        data-invalid={error ? true : undefined}
        data-compact={compact || undefined}
        data-name={name}
      >
        {!readOnly && !compact && <Toolbar more={editor && controls?.(editor)} />}
        <Frame.Content />
        {!readOnly && compact && (
          <Frame.Toolbar className={classes.toolbar} data-compact>
            <Frame.ControlsGroup>
              <Frame.Bold />
              <Frame.Italic />
              <Frame.BulletList />
              <Frame.Link />
            </Frame.ControlsGroup>
            {tools}
          </Frame.Toolbar>
        )}
      </Frame>
      {suggest.list}
    </Input.Wrapper>
  )
}

function Toolbar({ more }: { more: ReactNode }) {
  return (
    <Frame.Toolbar className={classes.toolbar}>
      <Frame.ControlsGroup>
        <Frame.Bold />
        <Frame.Italic />
        <Frame.Underline />
        <Frame.Strikethrough />
      </Frame.ControlsGroup>
      <Frame.ControlsGroup>
        <Frame.H2 />
        <Frame.H3 />
        <Frame.BulletList />
        <Frame.OrderedList />
        <Frame.Blockquote />
      </Frame.ControlsGroup>
      <Frame.ControlsGroup>
        <Frame.Link />
        <Frame.Unlink />
      </Frame.ControlsGroup>
      <Frame.ControlsGroup>
        <Frame.Undo />
        <Frame.Redo />
      </Frame.ControlsGroup>
      {more}
    </Frame.Toolbar>
  )
}

const labels: Partial<RichTextEditorLabels> = {
  boldControlLabel: 'Полужирный',
  italicControlLabel: 'Курсив',
  underlineControlLabel: 'Подчёркнутый',
  strikeControlLabel: 'Зачёркнутый',
  h2ControlLabel: 'Заголовок',
  h3ControlLabel: 'Подзаголовок',
  bulletListControlLabel: 'Список',
  orderedListControlLabel: 'Нумерованный список',
  blockquoteControlLabel: 'Цитата',
  linkControlLabel: 'Ссылка',
  unlinkControlLabel: 'Убрать ссылку',
  undoControlLabel: 'Отменить',
  redoControlLabel: 'Повторить',
  linkEditorInputLabel: 'Адрес ссылки',
  linkEditorInputPlaceholder: 'https://example.ru',
  linkEditorExternalLink: 'Открывать в новой вкладке',
  linkEditorInternalLink: 'Открывать в этой вкладке',
  linkEditorSave: 'Сохранить',
}
