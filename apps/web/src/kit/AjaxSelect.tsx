import {
  CloseButton,
  Combobox,
  type ComboboxStore,
  InputBase,
  Loader,
  Pill,
  PillsInput,
  useCombobox,
} from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import classes from './AjaxSelect.module.css'
import { type AjaxLoad, type AjaxOption, type AjaxState, ajaxMessage, useAjaxOptions } from './useAjaxOptions.ts'

interface Common<V extends string | number> {
  load: AjaxLoad<V>
  label?: ReactNode
  'aria-label'?: string
  description?: ReactNode
  error?: ReactNode
  placeholder?: string
  required?: boolean
  disabled?: boolean
  id?: string
  name?: string
  size?: 'xs' | 'sm'
  className?: string
  /** `withinPortal: false` where the list must open within the frame around. */
  comboboxProps?: { withinPortal?: boolean }
  /** false: the list of several opens by a press, by the arrow down or by typing; of one it does so anyway. */
  openOnFocus?: boolean
  autoFocus?: boolean
  /** Characters from which it searches, 2 unless told; 0 lists at once. */
  from?: number
  /** How an option is shown, the label and its hint unless told. */
  renderOption?: (option: AjaxOption<V>) => ReactNode
}

interface SingleProps<V extends string | number> extends Common<V> {
  value: AjaxOption<V> | null
  onChange: (option: AjaxOption<V> | null) => void
  clearable?: boolean
  /** Makes what is not there yet out of what is typed, and chooses it. */
  onCreate?: (text: string) => void
  /** What Ctrl+Enter does with the option instead of `onChange`. */
  onCtrlEnter?: (option: AjaxOption<V>) => void
}

/** The value of «Добавить»; no record has it. */
const NEW = ':new'

/** Chooses one record of many: the server finds it by what is typed. */
export function AjaxSelect<V extends string | number = number>(props: SingleProps<V>) {
  const {
    load,
    value,
    onChange,
    onCreate,
    onCtrlEnter,
    from,
    renderOption,
    clearable = true,
    comboboxProps,
    openOnFocus: _,
    autoFocus,
    ...input
  } = props
  const [text, setText] = useState<string>()
  const combobox = useCombobox({ onDropdownClose: () => setText(undefined) })
  const { options, status } = useAjaxOptions(load, text ?? '', combobox.dropdownOpened, from)
  const typed = text?.trim() ?? ''
  const isCtrl = useRef(false)
  const take = (option: AjaxOption<V> | null) => {
    if (isCtrl.current && option && onCtrlEnter) onCtrlEnter(option)
    else onChange(option)
    isCtrl.current = false
    combobox.closeDropdown()
  }
  const onEnter = useTopMatch(combobox, status, typed, options, take)
  const isNew = typed !== '' && status === 'ready' && !options.some(({ label }) => isSame(label, typed))
  const clear = clearable && !input.disabled && value !== null && text === undefined
  return (
    <Combobox
      {...comboboxProps}
      store={combobox}
      onOptionSubmit={(picked) => {
        if (picked !== NEW) return take(options.find((option) => String(option.value) === picked) ?? null)
        onCreate?.(typed)
        combobox.closeDropdown()
      }}
    >
      <Combobox.Target withExpandedAttribute>
        <InputBase
          {...input}
          data-autofocus={autoFocus || undefined}
          value={text ?? value?.label ?? ''}
          autoComplete="off"
          onChange={(event) => {
            setText(event.currentTarget.value)
            combobox.openDropdown()
            combobox.resetSelectedOption()
          }}
          onClick={() => combobox.openDropdown()}
          onKeyDown={(event) => {
            isCtrl.current = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
            onEnter(event)
          }}
          onBlur={() => combobox.closeDropdown()}
          rightSectionPointerEvents={clear ? 'all' : 'none'}
          rightSection={
            status === 'loading' && combobox.dropdownOpened ? (
              <Loader size={16} />
            ) : clear ? (
              <CloseButton
                size="sm"
                aria-label="Очистить"
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onChange(null)}
              />
            ) : (
              <Combobox.Chevron />
            )
          }
        />
      </Combobox.Target>
      <OptionList
        options={options}
        message={ajaxMessage(status, from)}
        renderOption={renderOption}
        label={nameOf(props)}
        fresh={onCreate && isNew ? typed : undefined}
      />
    </Combobox>
  )
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

interface MultiProps<V extends string | number> extends Common<V> {
  value: readonly AjaxOption<V>[]
  onChange: (options: AjaxOption<V>[]) => void
  max?: number
}

/** Chooses several records. Backspace in the empty field takes the last one away. */
export function AjaxMultiSelect<V extends string | number = number>(props: MultiProps<V>) {
  const {
    load,
    value,
    onChange,
    from,
    renderOption,
    max,
    placeholder,
    name,
    comboboxProps,
    openOnFocus,
    autoFocus: _,
    ...input
  } = props
  const [text, setText] = useState('')
  const combobox = useCombobox({ onDropdownClose: () => setText('') })
  const { options, status } = useAjaxOptions(load, text, combobox.dropdownOpened, from)
  const free = options.filter((option) => !value.some((chosen) => chosen.value === option.value))
  const full = max !== undefined && value.length >= max
  const take = (option: AjaxOption<V> | undefined) => {
    if (option && !full) onChange([...value, option])
    setText('')
    // Where nothing is listed before it is typed, an open list would only say so, over what comes next.
    if (from !== 0) combobox.closeDropdown()
  }
  const onEnter = useTopMatch(combobox, status, text.trim(), full ? [] : free, take)
  const remove = (gone: AjaxOption<V>) => onChange(value.filter((option) => option !== gone))
  return (
    <Combobox
      {...comboboxProps}
      store={combobox}
      onOptionSubmit={(picked) => take(free.find((found) => String(found.value) === picked))}
    >
      <Combobox.DropdownTarget>
        <PillsInput {...input} aria-label={undefined} onClick={() => combobox.openDropdown()}>
          <Pill.Group>
            {value.map((option) => (
              <Pill
                key={option.value}
                withRemoveButton={!input.disabled}
                onRemove={() => remove(option)}
                removeButtonProps={{ 'aria-label': `Убрать: ${option.label}` }}
              >
                {option.label}
              </Pill>
            ))}
            <Combobox.EventsTarget withExpandedAttribute>
              <PillsInput.Field
                aria-label={typeof input.label === 'string' ? input.label : input['aria-label']}
                name={name}
                value={text}
                placeholder={value.length ? undefined : placeholder}
                autoComplete="off"
                onChange={(event) => {
                  setText(event.currentTarget.value)
                  combobox.openDropdown()
                  combobox.resetSelectedOption()
                }}
                onFocus={() => openOnFocus !== false && combobox.openDropdown()}
                onBlur={() => combobox.closeDropdown()}
                onKeyDown={(event) => {
                  const last = value.at(-1)
                  onEnter(event)
                  if (event.key === 'Backspace' && !text && last) remove(last)
                }}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <OptionList
        options={full ? [] : free}
        message={full ? `Можно выбрать не больше ${max}` : ajaxMessage(status, from)}
        renderOption={renderOption}
        label={nameOf(props)}
      />
    </Combobox>
  )
}

/**
 * The first option answers Enter when something is typed; an Enter that comes before the options waits for them. It is
 * taken by itself and not by its line in the list, which on a busy machine is drawn later than it has come. The answer
 * is for the field's keys.
 */
function useTopMatch<V extends string | number>(
  combobox: ComboboxStore,
  status: AjaxState<V>['status'],
  typed: string,
  options: readonly AjaxOption<V>[],
  take: (option: AjaxOption<V>) => void,
): (event: KeyboardEvent) => void {
  const pressed = useRef<string>(undefined)
  const listed = options.map(({ value }) => value).join()
  const [best] = options
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each new list
  useEffect(() => {
    if (!typed || status !== 'ready') return
    if (best && pressed.current === typed) take(best)
    else combobox.selectFirstOption()
    pressed.current = undefined
  }, [status, typed, listed])
  return (event) => {
    // Where nothing is typed it sends the form around, and takes nothing of the list.
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !typed) return combobox.resetSelectedOption()
    if (event.key !== 'Enter' || !typed || status === 'failed' || !combobox.dropdownOpened) return
    if (status !== 'ready') {
      // It may come even before the list has begun to load.
      combobox.resetSelectedOption()
      pressed.current = typed
    } else if (best && combobox.getSelectedOptionIndex() < 0) take(best)
    else return
    event.preventDefault()
  }
}

function nameOf({ label, 'aria-label': aria }: Pick<Common<number>, 'label' | 'aria-label'>): string {
  return aria ?? (typeof label === 'string' ? label : 'Варианты')
}

interface ListProps<V extends string | number> {
  options: AjaxOption<V>[]
  message: string
  label: string
  renderOption?: (option: AjaxOption<V>) => ReactNode
  /** What can be made new. */
  fresh?: string
}

function OptionList<V extends string | number>({ options, message, label, renderOption, fresh }: ListProps<V>) {
  return (
    <Combobox.Dropdown>
      <Combobox.Options mah={280} style={{ overflowY: 'auto' }} aria-label={label} tabIndex={0}>
        {options.map((option) => (
          <Combobox.Option key={option.value} value={String(option.value)}>
            {renderOption ? (
              renderOption(option)
            ) : (
              <>
                {option.label}
                {option.hint && <div className={classes.hint}>{option.hint}</div>}
              </>
            )}
          </Combobox.Option>
        ))}
        {fresh !== undefined && <Combobox.Option value={NEW}>Добавить «{fresh}»</Combobox.Option>}
        {options.length === 0 && fresh === undefined && (
          <Combobox.Option value="" disabled className={classes.message}>
            {message}
          </Combobox.Option>
        )}
      </Combobox.Options>
    </Combobox.Dropdown>
  )
}
