"""HTTP of the pages of rules: the rules themselves, and the quiz."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from fastapi.templating import Jinja2Templates
from pydantic import Field

from nashgap.web.routes import Body
from nashgap.web.rules import QuizRoom, page_data
from nashgap.web.visitors import answered, visitor_asking

__all__ = ["Beginning", "QuestionNumber", "QuizAnswer", "rules_routes"]


class Beginning(Body):
    """Whether a quiz that has begun is to be forgotten."""

    again: bool = False


class QuestionNumber(Body):
    """The question after which the next one is asked for."""

    number: int = Field(ge=1, le=10**6)


class QuizAnswer(QuestionNumber):
    """A bet as it would be typed in the terminal: check, 0.5, all-in."""

    bet: str = Field(max_length=20)


def rules_routes(templates: Jinja2Templates) -> APIRouter:
    """The pages, and the JSON of the quiz."""
    routes, quizzes = APIRouter(), QuizRoom()

    @routes.get("/rules", response_class=HTMLResponse)
    def rules_page(request: Request) -> Response:
        return templates.TemplateResponse(request, "rules.html", {"found": page_data("bet-size-rules")})

    @routes.get("/rules/rivers", response_class=HTMLResponse)
    def rivers_page(request: Request) -> Response:
        return templates.TemplateResponse(request, "rivers.html", {"found": page_data("rivers")})

    @routes.get("/rules/quiz", response_class=HTMLResponse)
    def quiz_page(request: Request) -> Response:
        return templates.TemplateResponse(request, "quiz.html", {})

    @routes.post("/api/rules/quiz", status_code=201, response_model=dict[str, Any])
    def begin(request: Request, asked: Beginning) -> Response:
        return answered(request, lambda visitor: quizzes.begin(visitor, is_again=asked.again))

    @routes.get("/api/rules/quiz")
    def view(request: Request) -> dict[str, Any]:
        return quizzes.view(visitor_asking(request))

    @routes.post("/api/rules/quiz/answer")
    def answer(request: Request, asked: QuizAnswer) -> dict[str, Any]:
        return quizzes.answer(visitor_asking(request), asked.number, asked.bet)

    @routes.post("/api/rules/quiz/next")
    def next_question(request: Request, asked: QuestionNumber) -> dict[str, Any]:
        return quizzes.next_question(visitor_asking(request), asked.number)

    return routes
