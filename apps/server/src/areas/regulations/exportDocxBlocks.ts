/** Converts rich text to Word elements. */
import {
  AlignmentType,
  BorderStyle,
  ExternalHyperlink,
  type FileChild,
  HeadingLevel,
  type INumberingOptions,
  LevelFormat,
  Paragraph,
  type ParagraphChild,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from 'docx'
import type { Block, Run, Paragraph as TextBlock } from '#platform/richBlocks.ts'
import { codeStyle, quoteStyle } from './exportDocxStyles.ts'

/** Word supports nine list levels. */
const DEPTHS = 9
/** Twips per list level. */
const INDENT = 360

const listOf = (format: (level: number) => { format: (typeof LevelFormat)[keyof typeof LevelFormat]; text: string }) =>
  Array.from({ length: DEPTHS }, (_, level) => ({
    level,
    ...format(level),
    alignment: AlignmentType.LEFT,
    style: { paragraph: { indent: { left: INDENT * (level + 1), hanging: INDENT } } },
  }))

export const numbering: INumberingOptions = {
  config: [
    { reference: 'ordered', levels: listOf((level) => ({ format: LevelFormat.DECIMAL, text: `%${level + 1}.` })) },
    { reference: 'bulleted', levels: listOf((level) => ({ format: LevelFormat.BULLET, text: level % 2 ? '–' : '•' })) },
  ],
}

/** Levels below the step heading, which is the first level. */
const headings = [HeadingLevel.HEADING_2, HeadingLevel.HEADING_3, HeadingLevel.HEADING_4, HeadingLevel.HEADING_5]

export const blocksToDocx = (blocks: readonly Block[]): FileChild[] =>
  blocks.flatMap((block): FileChild[] => {
    if (block.kind === 'paragraph') return [paragraph(block)]
    if (block.kind === 'rule')
      return [new Paragraph({ border: { bottom: { style: BorderStyle.SINGLE, size: 4, color: 'c9d0d6' } } })]
    if (!block.rows[0]?.length) return []
    return [
      new Table({
        width: { size: 100, type: WidthType.PERCENTAGE },
        rows: block.rows.map(
          (row) =>
            new TableRow({
              // Some readers treat the bare attribute as true.
              ...(row.every(({ isHead }) => isHead) && { tableHeader: true }),
              children: row.map(
                ({ text, isHead }) =>
                  new TableCell({
                    children: text
                      .split('\n')
                      .map((line) => new Paragraph({ children: [new TextRun({ text: line, bold: isHead })] })),
                  }),
              ),
            }),
        ),
      }),
    ]
  })

function paragraph({ runs, level, place, isQuote, isCode }: TextBlock): Paragraph {
  const depth = Math.min(place?.depth ?? 0, DEPTHS - 1)
  const heading = level === undefined ? undefined : headings[level - 1]
  const style = isCode ? codeStyle : isQuote ? quoteStyle : undefined
  return new Paragraph({
    ...(heading && { heading, keepNext: true }),
    ...(style && { style }),
    ...(place?.n
      ? {
          numbering: {
            reference: place.ordered ? 'ordered' : 'bulleted',
            // Each numbered list starts from one.
            instance: place.list,
            level: depth,
          },
        }
      : place && { indent: { left: INDENT * (depth + 1) } }),
    children: runs.flatMap(runOf),
  })
}

function runOf(run: Run): ParagraphChild[] {
  const words = run.text.split('\n').map(
    (text, at) =>
      new TextRun({
        text,
        ...(at > 0 && { break: 1 }),
        ...(run.bold && { bold: true }),
        ...(run.italic && { italics: true }),
        ...(run.underline && { underline: {} }),
        ...(run.strike && { strike: true }),
        ...(run.mark && { highlight: 'yellow' as const }),
        ...(run.code && { font: 'Courier New' }),
        ...(run.raise === 'sub' && { subScript: true }),
        ...(run.raise === 'sup' && { superScript: true }),
        ...(run.href && { style: 'Hyperlink' }),
      }),
  )
  return run.href ? [new ExternalHyperlink({ link: run.href, children: words })] : words
}
