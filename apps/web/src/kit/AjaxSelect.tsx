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
  /** `withinPortal: false` when the list must open inside the surrounding frame. */
  comboboxProps?: { withinPortal?: boolean }
  /** false: a multiple select opens on click, arrow down or typing only; a single one always does so. */
  openOnFocus?: boolean
  autoFocus?: boolean
  /** Characters from which the search starts, default 2; 0 lists options at once. */
  from?: number
  /** Renders an option; default: label and hint. */
  renderOption?: (option: AjaxOption<V>) => ReactNode
  /** Offers to create a missing record in its own form, when nothing is found. */
  make?: () => Make | undefined
  /** Replaces «Совпадений не найдено» when nothing is typed and the list is empty. */
  none?: string
}

export interface Make {
  /** «Новая организация…» */
  label: string
  /** @param typed the text of the field */
  open: (typed: string) => void
}

interface SingleProps<V extends string | number> extends Common<V> {
  value: AjaxOption<V> | null
  onChange: (option: AjaxOption<V> | null) => void
  clearable?: boolean
  /** Creates and selects a new option from the typed text. */
  onCreate?: (text: string) => void
  /** Called by Ctrl+Enter on the option instead of `onChange`. */
  onCtrlEnter?: (option: AjaxOption<V>) => void
}

/** The values of «Добавить» and of `make`; no record has them. */
const NEW = ':new'
const MAKE = ':make'

/** Selects one of many records, searched on the server. */
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
    make,
    none,
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
  const making = status === 'ready' && options.length === 0 ? make?.() : undefined
  const clear = clearable && !input.disabled && value !== null && text === undefined
  return (
    <Combobox
      {...comboboxProps}
      store={combobox}
      onOptionSubmit={(picked) => {
        if (picked === MAKE) {
          combobox.closeDropdown()
          return making?.open(typed)
        }
        if (picked !== NEW) return take(options.find((option) => String(option.value) === picked) ?? null)
        onCreate?.(typed)
        combobox.closeDropdown()
      }}
    >
      <Combobox.Target withExpandedAttribute>
        <InputBase
          {...input}
          data-autofocus={autoFocus || undefined}
          data-filled={value !== null || undefined}
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
        message={none && !typed && status === 'ready' ? none : ajaxMessage(status, from)}
        renderOption={renderOption}
        label={nameOf(props)}
        make={making?.label}
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

/** Selects several records. Backspace in the empty field removes the last one. */
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
    make,
    none,
    ...input
  } = props
  const [text, setText] = useState('')
  const combobox = useCombobox({ onDropdownClose: () => setText('') })
  const { options, status } = useAjaxOptions(load, text, combobox.dropdownOpened, from)
  const free = options.filter((option) => !value.some((chosen) => chosen.value === option.value))
  const full = max !== undefined && value.length >= max
  const making = status === 'ready' && options.length === 0 && !full ? make?.() : undefined
  const take = (option: AjaxOption<V> | undefined) => {
    if (option && !full) onChange([...value, option])
    setText('')
    // Without typed text there are no options, and the open list would cover what follows.
    if (from !== 0) combobox.closeDropdown()
  }
  const onEnter = useTopMatch(combobox, status, text.trim(), full ? [] : free, take)
  const remove = (gone: AjaxOption<V>) => onChange(value.filter((option) => option !== gone))
  return (
    <Combobox
      {...comboboxProps}
      store={combobox}
      onOptionSubmit={(picked) => {
        if (picked !== MAKE) return take(free.find((found) => String(found.value) === picked))
        combobox.closeDropdown()
        making?.open(text.trim())
      }}
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
                aria-required={input.required || undefined}
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
        message={
          full
            ? `Можно выбрать не больше ${max}`
            : none && !text && status === 'ready'
              ? none
              : ajaxMessage(status, from)
        }
        renderOption={renderOption}
        label={nameOf(props)}
        make={making?.label}
      />
    </Combobox>
  )
}

/**
 * Enter selects the first option for the typed text; pressed before the options have loaded, it waits for them. It takes
 * the option itself rather than its element, which is rendered later on a busy machine. Returns the key handler of the
 * field.
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
    // Without typed text it submits the surrounding form, and selects nothing.
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
  /** Text of which a new option can be created. */
  fresh?: string
  /** What can be created in its own form. */
  make?: string
}

function OptionList<V extends string | number>({ options, message, label, renderOption, fresh, make }: ListProps<V>) {
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
        {make !== undefined && <Combobox.Option value={MAKE}>{make}</Combobox.Option>}
      </Combobox.Options>
    </Combobox.Dropdown>
  )
}
