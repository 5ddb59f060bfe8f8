import { Button, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import type { ObservationBody, ObservedColumns } from '@radx/contracts/calibration'
import {
  OBSERVED_QUANTITIES,
  OBSERVED_UNITS,
  type ObservedQuantity,
} from '@radx/contracts/calibration-constants'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { measuredTexts as texts } from '../../../texts/calibration.ts'
import { Message } from '../../../ui/Message.tsx'
import { nodesQuery } from '../api.ts'
import { useKeepSeries } from './api.ts'
import classes from './Calibration.module.css'
import { refusalText, UNIT_NAMES } from './words.ts'

type Kind = ObservationBody['place']['kind']

interface Props {
  catchmentId: string
  jobId: string | null
  file: { csv: string; fileName: string; timeZone: string }
  found: ObservedColumns
  onKept: (name: string) => void
}

/** Which column it is, where it was measured, and what its values are. */
export function SeriesFields({ catchmentId, jobId, file, found, onKept }: Props) {
  const [first] = found.columns
  const keep = useKeepSeries()
  const [column, setColumn] = useState(first.name)
  const [name, setName] = useState('')
  const [quantity, setQuantity] = useState<ObservedQuantity>(first.quantity ?? 'flow')
  const [unit, setUnit] = useState<string>(first.unit ?? OBSERVED_UNITS[first.quantity ?? 'flow'][0])
  const [place, setPlace] = useState<Place>({
    kind: (first.quantity ?? 'flow') === 'flow' ? 'link' : 'node',
    name: '',
    x: '',
    y: '',
  })
  const told = found.columns.find((one) => one.name === column) ?? first
  const choose = (next: string) => {
    const entry = found.columns.find((one) => one.name === next) ?? first
    setColumn(next)
    if (entry.quantity) changeQuantity(entry.quantity)
    if (entry.unit) setUnit(entry.unit)
  }
  const changeQuantity = (next: ObservedQuantity) => {
    setQuantity(next)
    if (!(OBSERVED_UNITS[next] as readonly string[]).includes(unit)) setUnit(OBSERVED_UNITS[next][0])
    if (next === 'flow') setPlace({ ...place, kind: 'link' })
    else if (place.kind === 'link') setPlace({ ...place, kind: 'node' })
  }
  const asked = placeOf(place)
  const isWhole = asked !== null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isWhole || keep.isPending) return
    const title = name.trim() === '' ? column : name.trim()
    const body = { ...file, catchmentId, name: title.slice(0, 120), column, place: asked, quantity }
    keep.mutate({ ...body, unit: unit as ObservationBody['unit'] }, { onSuccess: () => onKept(title) })
  }
  return (
    <form className={classes.fields} aria-label={texts.keep} onSubmit={submit} noValidate>
      <NativeSelect
        label={texts.column}
        value={column}
        data={found.columns.map((one) => ({
          value: one.name,
          label: texts.columnMissing(one.name, one.missing),
        }))}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      <TextInput
        label={texts.name}
        placeholder={column}
        maxLength={120}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <NativeSelect
        label={texts.quantity}
        value={quantity}
        data={OBSERVED_QUANTITIES.map((value) => ({ value, label: texts.quantities[value] }))}
        onChange={({ currentTarget }) => changeQuantity(currentTarget.value as ObservedQuantity)}
      />
      <NativeSelect
        label={texts.unit}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        description={told.unit === null ? texts.unitUnsaid : undefined}
        value={unit}
        data={OBSERVED_UNITS[quantity].map((value) => ({ value, label: UNIT_NAMES[value] }))}
        onChange={({ currentTarget }) => setUnit(currentTarget.value)}
      />
      <PlaceFields {...{ catchmentId, jobId, place, quantity }} onChange={setPlace} />
      <Button type="submit" className={classes.start} disabled={!isWhole} loading={keep.isPending}>
        {texts.keep}
      </Button>
      {keep.error && (
        <div className={classes.whole}>
          <Message kind="error">{refusalText(keep.error)}</Message>
        </div>
      )}
    </form>
  )
}

interface Place {
  kind: Kind
  name: string
  /** x or longitude, y or latitude, as they stand in their fields. */
  x: number | string
  y: number | string
}

/** What is sent of the fields; null while something of it is missing. */
function placeOf({ kind, name, x, y }: Place): ObservationBody['place'] | null {
  if (kind === 'point' || kind === 'lnglat') {
    if (typeof x !== 'number' || typeof y !== 'number') return null
    return kind === 'point' ? { kind, x, y } : { kind, lng: x, lat: y }
  }
  return name.trim() === '' ? null : { kind, name: name.trim() }
}

/** Names that a field offers; a large network has more than a list can show. */
const MOST_NAMES = 500

interface PlaceProps {
  catchmentId: string
  jobId: string | null
  place: Place
  quantity: ObservedQuantity
  onChange: (place: Place) => void
}

function PlaceFields({ catchmentId, jobId, place, quantity, onChange }: PlaceProps) {
  const id = useId()
  const { kind } = place
  const nodes = useQuery({
    ...nodesQuery(catchmentId, jobId ?? ''),
    enabled: kind === 'node' && jobId !== null,
  })
  const kinds: Kind[] = quantity === 'flow' ? ['link'] : ['node', 'street', 'point', 'lnglat']
  const isPoint = kind === 'point' || kind === 'lnglat'
  const number = (axis: 'x' | 'y', label: string) => (
    <NumberInput
      label={label}
      value={place[axis]}
      decimalSeparator=","
      hideControls
      onChange={(value) => onChange({ ...place, [axis]: value })}
    />
  )
  return (
    <>
      <NativeSelect
        label={texts.place}
        value={kind}
        data={kinds.map((value) => ({ value, label: texts.kinds[value] }))}
        onChange={({ currentTarget }) => onChange({ ...place, kind: currentTarget.value as Kind })}
      />
      {isPoint ? (
        <>
          {number('x', kind === 'point' ? texts.x : texts.lng)}
          {number('y', kind === 'point' ? texts.y : texts.lat)}
        </>
      ) : (
        <TextInput
          label={texts.placeName}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          description={texts.placeNameHelp}
          value={place.name}
          list={id}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          onChange={({ currentTarget }) => onChange({ ...place, name: currentTarget.value })}
        />
      )}
      {kind === 'node' && (
        <datalist id={id}>
          {nodes.data?.slice(0, MOST_NAMES).map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      )}
    </>
  )
}
