// SPDX-License-Identifier: MIT
// One function's lines, before and after.
import { Ready } from "../../components/states";
import { useAnswer } from "../../context";
import { printable } from "../../format";
import * as requests from "../../requests";
import type { Annotation } from "../../schema";
import { FileTable } from "../source/lines";
import { filesOf } from "../source/listing";

interface SideProps {
  title: string;
  recording: number;
  name: string;
  event: string;
}

function Side({ title, recording, name, event }: SideProps) {
  const outcome = useAnswer<Annotation>(requests.annotate(recording, name, null));
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <Ready outcome={outcome} missing={`No sample is in ${printable(name)} here.`}>
        {(answer) => (
          <>
            {filesOf(answer, [event]).map((file) => (
              <FileTable
                key={file.file ?? ""}
                file={file}
                events={[event]}
                chosen=""
                places={new Map()}
                onChoose={() => undefined}
              />
            ))}
          </>
        )}
      </Ready>
    </section>
  );
}

interface Props {
  name: string;
  nameAfter: string;
  event: string;
  before: number;
  after: number;
}

export function LinesOf({ name, nameAfter, event, before, after }: Props) {
  return (
    <section class="panel chosen" aria-label="Lines before and after">
      <h2>
        <code>{printable(name)}</code>
      </h2>
      <div class="side-by-side">
        <Side title="Before" recording={before} name={name} event={event} />
        <Side title="After" recording={after} name={nameAfter} event={event} />
      </div>
    </section>
  );
}
