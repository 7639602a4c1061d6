import type { ReactNode } from 'react'
import { FormPart } from '#kit/FormPart.tsx'
import { RecordField } from '#records/form/RecordField.tsx'

/** Services of a rule. @param more content between inclusions and exclusions */
export const WhatPart = ({ title, more }: { title: string; more?: ReactNode }) => (
  <FormPart title={title}>
    <RecordField name="groups" />
    <RecordField name="services" />
    <RecordField name="category" />
    {more}
    <RecordField name="exceptGroups" />
    <RecordField name="exceptServices" />
  </FormPart>
)

/** Customers of a rule. */
export const WhomPart = ({ children }: { children?: ReactNode }) => (
  <FormPart title="Кому">
    <RecordField name="tags" placeholder="Метка и Enter" />
    <RecordField name="sources" />
    <RecordField name="gender" />
    <RecordField name="ageFrom" />
    <RecordField name="ageTo" />
    {children}
  </FormPart>
)
